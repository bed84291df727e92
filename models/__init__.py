"""Weights, dice sets and tables of advice: files, no code. `SHA256SUMS` lists all of them that are installed."""
