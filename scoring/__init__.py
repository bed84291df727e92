"""The rules: pure, no clock, no randomness, no files."""
