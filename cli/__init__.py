"""The doors: one short file a command."""
