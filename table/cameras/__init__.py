"""TODO table/cameras"""
