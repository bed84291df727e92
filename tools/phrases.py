"""What rules, table and command line say that languages must have: `python -m tools.phrases` lists what is missing.

Read off the source: the templates of messages and refusals, wherever they are made. Translations are written by hand,
in `scoring/phrases/<language>/` and `table/phrases/<language>.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from words.tongue import LANGUAGES

ROOT = Path(__file__).parent.parent

ROOMS = ("scoring", "words", "advice", "table", "cli")
"""Where templates are made."""

TEMPLATE_AT: Mapping[str, int] = {
    "message": 0,
    "refuse": 0,
    "RefusalError": 0,
    "IllegalMoveError": 0,
    "OptionError": 0,
    "BoardError": 0,
    "UnknownFaceError": 0,
    "NoAdviceError": 0,
    "named": 2,
}
"""Which argument of a call is a template."""

ALONE = frozenset({"{title}", "{words:rule}", "{rule} ({where:place})", "{values:either}"})
"""Templates without a word of their own, the same in every language."""


def templates(room: str) -> dict[str, str]:
    """Every template in the source of a room, with the file it stands in."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / room).rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in TEMPLATE_AT:
                place = TEMPLATE_AT[call.func.id]
                if len(call.args) > place:
                    name = str(path.relative_to(ROOT))
                    found |= {text: name for text in _texts(call.args[place]) if text not in ALONE}
    return found


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif isinstance(node, ast.JoinedStr):
        raise ValueError(f"a template with its values baked in: {ast.unparse(node)}")


def main() -> None:
    """Print what each language lacks."""
    for code, language in LANGUAGES.items():
        if code == "en":
            continue
        for room in ROOMS:
            for text, file in templates(room).items():
                if text not in language.rules:
                    print(f"{code} {file}: {text!r}")


if __name__ == "__main__":
    main()
