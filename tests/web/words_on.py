"""Every word that a page shows or says: its text, and what stands in attributes for ears, tooltips and scripts."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

VOID = frozenset(
    {"br", "hr", "img", "input", "link", "meta", "source", "wbr", "path", "use", "image", "line"}
)
HEARD = frozenset(
    {"aria-label", "aria-description", "aria-roledescription", "alt", "title", "placeholder", "content"}
)
NOT_FOR_PEOPLE = frozenset(
    f"data-{name}"
    for name in [
        "table",
        "view",
        "link",
        "to",
        "picture",
        "log",
        "group",
        "enter",
        "may",
        "instead",
        "own",
        "number",
        "version",
        "run",
        "corner",
        "choose",
        "kind",
        "state",
        "opens",
        "lays",
    ]
)
"""Attributes by which scripts know what is what."""


class Words(HTMLParser):
    """Collects the words of a page, in its language; parts in a language of their own are left out."""

    def __init__(self, language: str) -> None:
        super().__init__(convert_charrefs=True)
        self.language = language
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    @property
    def _ours(self) -> bool:
        return all(ours for _, ours in self._open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        ours = given.get("lang") in (None, self.language) and tag not in ("script", "style")
        if ours and self._ours:
            for name, value in attrs:
                spoken = name in HEARD or (name.startswith("data-") and name not in NOT_FOR_PEOPLE)
                if (
                    value
                    and spoken
                    and not (tag == "meta" and given.get("name") in ("viewport", "color-scheme"))
                ):
                    self.found.append(" ".join(value.split()))
        if tag not in VOID:
            self._open.append((tag, ours))

    def handle_endtag(self, tag: str) -> None:
        while self._open and tag in [one for one, _ in self._open]:
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._ours and data.strip():
            self.found.append(" ".join(data.split()))


def words_on(html: str, language: str) -> Iterator[str]:
    """Each text and each attribute that people come to know, in the order of the page."""
    reader = Words(language)
    reader.feed(html)
    yield from reader.found
