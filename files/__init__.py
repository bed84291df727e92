"""The user's data folder, and files that are written whole or not at all."""
