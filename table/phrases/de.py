"""x."""

RULES: dict[str, str] = {}
