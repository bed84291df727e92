"""TODO scoring/games/cats"""
