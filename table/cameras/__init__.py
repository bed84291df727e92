"""Which camera looks at the table, and what it sees."""
