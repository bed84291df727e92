"""TODO web/network"""
