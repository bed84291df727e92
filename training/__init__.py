"""Trains and exports the networks."""
