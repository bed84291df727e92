"""TODO training/commands"""
