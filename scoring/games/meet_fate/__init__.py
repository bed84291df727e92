"""TODO scoring/games/meet_fate"""
