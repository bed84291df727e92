"""Finds dice in a picture: what the networks see in boxes, and what the plane of the table makes of it."""
