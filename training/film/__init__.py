"""TODO training/film"""
