"""The rules: pure, no clock, no randomness, no files.

`game.py` says what a game is, `games/` holds one file a game, `match.py` the log of a match, `announcement.py` the
sentences, `odds.py` the chances. A roll enters a match only as an event: nothing in this room ever rolls.
"""
