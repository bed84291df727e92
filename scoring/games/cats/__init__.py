"""The five games with cat dice, and what the dice show."""
