"""From light to a reading."""
