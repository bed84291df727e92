"""Hex boards: what a layout is (`layout.py`), and the layouts that come with the games."""
