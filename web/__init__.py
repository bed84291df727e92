"""The pages: thin views over one table, told of every notice by server-sent events."""
