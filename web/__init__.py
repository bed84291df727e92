"""The pages: thin views over one table, updated with every notice by server-sent events."""
