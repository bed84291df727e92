"""TODO files"""
