"""Destiny: hands of characters, rounds, and the total."""
