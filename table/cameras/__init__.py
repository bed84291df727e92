"""The camera in use, and what it sees."""
