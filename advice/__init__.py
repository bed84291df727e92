"""What each choice at the table is worth: asked, never unasked; exact, or plainly called an estimate.

`ask.py` answers for a running match; beneath it is one module a game, on `lattice.py` (what thrown dice bring, for
thousands of positions at once). `fairness.py` and `luck.py` look back on an evening.
"""
