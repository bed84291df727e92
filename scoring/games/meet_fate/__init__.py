"""Meet Fate: eight dice, a sheet of boxes."""
