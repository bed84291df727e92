"""Draws the pictures that the networks learn from."""
