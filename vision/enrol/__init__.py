"""Dice of one's own: from pictures of their faces to a dice set that is read like a shipped one."""
