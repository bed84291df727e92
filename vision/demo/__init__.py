"""TODO vision/demo"""
