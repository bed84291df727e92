"""The optional LED scoreboard."""
