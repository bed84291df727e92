"""What README, guide and the other documents say is true: commands parse, links lead somewhere, and pictures exist."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from cli.main import doors
from scoring.games import available
from tools.prose import ROOT, documents, long_lines, wrapped
from tools.site import on_page_markdown

README = ROOT / "README.md"
INSTRUCTIONS = [
    path for path in documents() if path.parent.name != "research" and path.name != "figures.md"
] + [ROOT / "hardware" / "firmware" / "README.md"]
"""The documents whose commands are meant to be typed; those of measurements also tell what was typed once."""

FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$", re.MULTILINE)
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)

PLACEHOLDER = re.compile(r"[A-Z][A-Z/]*|…")
"""A word that stands for what people choose: SET, FILE, FACE/NAME, …"""

GUIDE = sorted((ROOT / "docs" / "guide").glob("*.md"))
NOT_OURS = {"Advanced", "Manual", "Install"}
"""What browsers and other programs call their own buttons."""

LARGEST = {"docs/pictures/throw.webp": 3_000_000}
PICTURE, ALL_PICTURES = 200_000, 5_000_000
"""Bytes of a picture, and of all together, at most: everybody who clones or reads fetches them."""


def typed(text: str) -> list[str]:
    """The command lines of Tableside in a document, without comments."""
    lines = [
        line for kind, block in FENCED.findall(text) if kind in ("", "sh") for line in block.splitlines()
    ]
    lines += [code.replace("\n", " ") for code in INLINE.findall(FENCED.sub("", text))]
    found = (re.search(r"(?:^|[\s/])tableside( .*)?$", re.split(r"#|   ", line.strip())[0]) for line in lines)
    return [f"tableside{line[1] or ''}".strip() for line in found if line]


def parsed(line: str) -> None:
    """Parse a command line as the program would, down to the values that are no placeholders.

    Raises click.ClickException for what the program would refuse: an unknown command, option or argument.
    """
    for one in line.split(";"):
        words = shlex.split(re.sub(r"[\[\]]", " ", one))
        if words[:1] != ["tableside"]:
            continue
        command, context = doors, click.Context(doors, info_name="tableside")
        words = [word for word in words[1:] if word not in ("--help", "--version")]
        while isinstance(command, click.Group) and words and words != ["…"]:
            command.parse_args(context, words)
            words = [*context._protected_args, *context.args]
            if not words:
                break
            _, sub, words = command.resolve_command(context, words)
            assert sub is not None
            command, context = sub, click.Context(sub, parent=context, info_name=sub.name)
        if not isinstance(command, click.Group):
            _fits(command, context, words)


def _fits(command: click.Command, context: click.Context, words: list[str]) -> None:
    given, left, _ = command.make_parser(context).parse_args(list(words))
    if left:
        raise click.UsageError(f"unexpected {left[0]!r}", context)
    for parameter in command.params:
        value = given.get(parameter.name or "")
        missing = isinstance(parameter, click.Argument) and (
            not isinstance(value, (str, list, tuple)) or not value
        )
        if missing and parameter.required and any(not word.startswith("-") for word in words):
            raise click.MissingParameter(ctx=context, param=parameter)
        for single in value if isinstance(value, (list, tuple)) else [value]:
            if not isinstance(single, str) or isinstance(parameter.type, click.Path):
                continue
            for choice in single.split("|") if isinstance(parameter.type, click.Choice) else [single]:
                if not PLACEHOLDER.fullmatch(choice):
                    parameter.type.convert(choice, parameter, context)


def anchors(path: Path) -> set[str]:
    """The anchors that headings of a document have, as web sites make them."""
    plain = (re.sub(r"[*`]|\[([^\]]*)\]\([^)]*\)", r"\1", one) for one in HEADING.findall(_prose(path)))
    return {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", one.strip().lower())) for one in plain}


def _prose(path: Path) -> str:
    """A document without its code."""
    return INLINE.sub("", FENCED.sub("", path.read_text(encoding="utf-8")))


def links(path: Path) -> list[str]:
    """Where the links and pictures of a document lead."""
    return [inside or below for inside, below in LINK.findall(_prose(path))]


LINES = sorted(
    {(path.relative_to(ROOT), line) for path in INSTRUCTIONS for line in typed(path.read_text("utf-8"))}
)


@pytest.mark.parametrize(("path", "line"), LINES, ids=[f"{path}: {line}" for path, line in LINES])
def test_a_command_line_is_one_that_the_program_takes(path: Path, line: str):
    try:
        parsed(line)
    except click.ClickException as refused:
        pytest.fail(f"{path} says `{line}`: {refused.format_message()}")


def test_command_lines_are_found():
    assert len(LINES) > 60
    assert "tableside doctor" in {line for _, line in LINES}
    assert typed("Type `tableside sets`.\n```\nX=1 tableside serve --camera 0  # look\n```\n") == [
        "tableside serve --camera 0", "tableside sets",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "tableside nonsense", "tableside serve --nonsense", "tableside matches nonsense", "tableside serve 0",
        "tableside demo --port many", "tableside serve --language xx", "tableside score --faces a,b",
    ],
)  # fmt: skip
def test_a_command_line_that_the_program_refuses_is_noticed(line: str):
    with pytest.raises(click.ClickException):
        parsed(line)


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path: Path):
    lost: list[str] = []
    for link in links(path):
        name, _, anchor = link.partition("#")
        if "://" in link or link.startswith("mailto:"):
            continue
        target = (path.parent / name).resolve() if name else path
        if not target.is_file() or (anchor and anchor not in anchors(target)):
            lost.append(link)
    assert lost == []


def test_links_are_found(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A “page” [x](y), twice\n[a\nb](c.md#d) ![e](f.webp) `[no](code)`\n\n[g]: h.png\n", "utf-8"
    )
    assert links(page) == ["y", "c.md#d", "f.webp", "h.png"]
    assert anchors(page) == {"a-page-x-twice"}


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_line_of_prose_is_longer_than_120_characters(path: Path):
    assert long_lines(path.read_text(encoding="utf-8")) == [], "`make prose` wraps them"


def test_wrapping_changes_no_word_and_makes_no_list():
    long = (
        "- word " * 3 + "and so it goes on " * 8 + "until the line - with a dash - is far too long, 1. or so"
    )
    text = f"# {long}\n\n{long}\nnext\n\n* {long}\n  more\n* short\n\n```\n{long}\n```\n\n| {long} |\n"
    done = wrapped(text)
    assert done.split() == text.split()
    assert long_lines(done) == []
    assert wrapped(done) == done
    kept = [line for line in done.splitlines() if len(line) > 120]
    assert kept == [f"# {long}", long, f"| {long} |"]
    item = re.compile(r"^ *([-*+]|\d+\.) ", re.MULTILINE)
    assert len(item.findall(done)) == len(item.findall(text))


def test_the_readme_is_of_one_screen_or_two():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 150


def test_every_dependency_has_its_reason_in_the_readme():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *(one for extra in extras.values() for one in extra)]
    asked = {re.split(r"[\[<>=; ]", one)[0] for one in needed}
    table = README.read_text(encoding="utf-8").partition("## Dependencies")[2].partition("\n## ")[0]
    named = {
        name
        for row in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
        for name in re.findall(r"[\w-]+", row)
    }
    assert asked - named == set()
    rows = re.findall(r"^\| (?!package|---)[^|]+ \| ([^|]+) \|$", table, re.MULTILINE)
    assert rows
    assert [reason for reason in rows if len(reason.split()) < 3] == []


def test_the_guide_has_every_game_as_it_is():
    rows = re.findall(
        r"^\| (.+?) \| (.+?) \| (\d+) to (\d+) \| (\d+) \| (.+?) \|$",
        (ROOT / "docs" / "guide" / "games.md").read_text(encoding="utf-8"), re.MULTILINE,
    )  # fmt: skip
    assert {
        (title, int(low), int(high), int(minutes), blurb) for title, _, low, high, minutes, blurb in rows
    } == {(one.title, *one.seats, one.minutes, one.blurb) for one in available()}
    count = {one.title: str(one.dice.count or "none") for one in available()}
    assert [title for title, dice, *_ in rows if not dice.startswith(count[title])] == []


def test_the_guide_names_pages_and_buttons_as_they_are_called():
    said = re.compile(r"(?:[Pp]age|[Pp]ress|[Oo]pen|[Uu]nder|[Bb]utton|[Cc]hoose)\s+\*\*([^*]+)\*\*")
    named = {
        (path.name, " ".join(one.split())) for path in GUIDE for one in said.findall(path.read_text("utf-8"))
    }
    called = (ROOT / "words" / "locale" / "de.po").read_text(encoding="utf-8")
    assert len(named) > 15
    assert {(page, one) for page, one in named if f'"{one}"' not in called and one not in NOT_OURS} == set()


def test_pictures_are_small_and_each_is_shown():
    folder = ROOT / "docs" / "pictures"
    pictures = [path for path in folder.iterdir() if path.suffix in (".webp", ".png", ".svg")]
    large = [
        path.name
        for path in pictures
        if path.stat().st_size > LARGEST.get(str(path.relative_to(ROOT)), PICTURE)
    ]
    assert pictures
    assert large == []
    assert sum(path.stat().st_size for path in pictures) < ALL_PICTURES
    shown = {(path.parent / link).resolve() for path in documents() for link in links(path)}
    assert [path.name for path in pictures if path.resolve() not in shown] == []


def test_the_documents_build_as_a_site(tmp_path: Path):
    pytest.importorskip("material", reason="the site is built where the docs extra is installed")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT, env={"NO_MKDOCS_2_WARNING": "1", "PATH": "/usr/bin:/bin"}, capture_output=True, text=True,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    page = (tmp_path / "guide" / "camera.html").read_text(encoding="utf-8")
    assert "camera.webp" in page
    fetched = re.findall(r'<(?:script|img|link|iframe)[^>]*(?:src|href)="(?:https?:)?//[^"]*"', page)
    assert fetched == [], "a page needs nothing from elsewhere"


def test_the_site_names_files_that_only_the_sources_have():
    class Page:
        class file:  # noqa: N801
            src_uri = "guide/games.md"

    text = "[Rules](../../scoring/rules.md#end), [LICENSE](../../LICENSE), [map](../architecture.md)"
    assert on_page_markdown(text, Page) == "Rules (`scoring/rules.md`), LICENSE, [map](../architecture.md)"
    assert (
        on_page_markdown("Text\n- a\n  more\n- b\n\nText\n1. c", Page)
        == "Text\n\n- a\n  more\n- b\n\nText\n\n1. c"
    )
