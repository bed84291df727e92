"""Outlander: six character dice and the cards."""
