"""TODO table/storage"""
