"""What is wrong with a picture of a die, as `vision` measures it; pages know the table only."""

from __future__ import annotations

from vision.enroll.problems import Problem

__all__ = ["Problem"]
