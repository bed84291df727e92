"""Games described by a file instead of code; docs/game-files.md describes its format."""
