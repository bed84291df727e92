"""One table's evening."""
