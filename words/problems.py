"""What is wrong with a picture of a die, or with a set of dice, as `vision` says it; pages know the table only."""

from __future__ import annotations

from vision.enrol.problems import Kind, Problem
from vision.foreign import foreign, system
from vision.said import Named, Said, SaidError, Value, Words

__all__ = ["Kind", "Named", "Problem", "Said", "SaidError", "Value", "Words", "foreign", "system"]
