"""TODO training/matcher"""
