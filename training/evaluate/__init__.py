"""TODO training/evaluate"""
