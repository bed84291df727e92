"""TODO scoring/games/outlander"""
