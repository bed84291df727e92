"""TODO words"""
