"""TODO scoring/games/outback"""
