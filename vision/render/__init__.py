"""Draws dice, for the demo and for training."""
