"""TODO scoring/games/destiny"""
