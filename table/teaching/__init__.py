"""A lesson at the table: what a user shows becomes a dice set."""
