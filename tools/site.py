"""MkDocs hooks that turn the documents into a web site (`hooks` in mkdocs.yml)."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, cast

sys.path.append(str(Path(__file__).resolve().parents[1]))  # MkDocs runs this file outside its package
from tools.prose import ITEM, lines_of

OUT_OF_DOCS = re.compile(r"(?<!!)\[([^\]]+)\]\((?:\.\./)+([\w./-]+)(?:#[\w-]+)?\)")
"""A link to a parent folder: its text, and its path without the dots and the anchor."""


def on_config(config: Any) -> Any:
    """In the navigation, `folder/*.md` means every document in a folder."""
    docs = Path(config["docs_dir"])
    for section in config["nav"]:
        for title, entries in section.items():
            if isinstance(entries, list):
                section[title] = [one for entry in cast(list[Any], entries) for one in _expanded(docs, entry)]
    return config


def _expanded(docs: Path, entry: Any) -> list[Any]:
    """The documents of an entry in the navigation."""
    if not isinstance(entry, str) or "*" not in entry:
        return [entry]
    return sorted(str(path.relative_to(docs)) for path in docs.glob(entry))


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The page in MkDocs' Markdown: links to source files become plain names, and lists are set apart."""
    depth = page.file.src_uri.count("/")

    def without_link(found: re.Match[str]) -> str:
        if found[0].count("../") <= depth:
            return found[0]
        return found[2] if found[1] == found[2] else f"{found[1]} (`{found[2]}`)"

    return OUT_OF_DOCS.sub(without_link, _with_lists_apart(markdown))


def _with_lists_apart(markdown: str) -> str:
    """Adds an empty line before each list that directly follows text: MkDocs needs it, CommonMark does not."""
    out, in_list = list[str](), False
    for _, line, is_prose in lines_of(markdown):
        item = is_prose and bool(ITEM.match(line))
        if item and not in_list and out and out[-1].strip():
            out.append("")
        goes_on = not line.strip() or line.startswith(" ") or bool(out and out[-1].strip())
        in_list = item or (in_list and goes_on)
        out.append(line)
    return "\n".join(out)
