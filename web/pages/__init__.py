"""TODO web/pages"""
