"""Filmed evenings whose truth is known, and the judge of how the table took them."""
