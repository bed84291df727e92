"""Draws dice: the demo and training share it."""
