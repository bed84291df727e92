"""Weights and dice sets: files, no code."""
