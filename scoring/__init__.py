"""The rules: pure, no clock, no randomness, no files.

`game.py` says what a game is, `games/` holds a folder a family of games, `match.py` the log of a match,
`announcement.py` the sentences. A roll enters a match only as an event: nothing in this room ever rolls.
"""
