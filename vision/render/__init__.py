"""TODO vision/render"""
