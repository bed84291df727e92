"""Dice sets: what they are, how they are read, written, printed and sent."""
