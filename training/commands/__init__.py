"""The commands that train and measure: `tableside train`, `evaluate`, `render` and `bench`."""
