"""Sentences: every language the table speaks."""
