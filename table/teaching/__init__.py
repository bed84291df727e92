"""TODO table/teaching"""
