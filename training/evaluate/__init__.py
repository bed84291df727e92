"""How well pictures with known dice are read."""
