"""Tools for working on Tableside; the product never runs them."""
