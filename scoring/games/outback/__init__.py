"""Outback and Outback Plus: boards, tracks and the joker."""
