"""What every room says to people: messages, and how English says them. Imports nothing of ours."""
