"""The match log on disk, and the files beside it."""
