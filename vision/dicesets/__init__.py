"""TODO vision/dicesets"""
