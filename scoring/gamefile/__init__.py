"""Games that are told by a file instead of code: docs/game-files.md says what may stand in one."""
