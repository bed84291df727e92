"""`tableside enroll`: a dice set of your own, from pictures of its faces."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from cli.options import grouped
from vision.dicesets.shapes import SHAPES, Shape, shape_named

if TYPE_CHECKING:
    from vision.enrol.enrol import Enrolled, Wish
    from vision.enrol.problems import Problem


def face_id(text: str) -> str:
    """What people type as an id: small letters, dashes for spaces and underscores."""
    return "-".join(text.strip().lower().replace("_", " ").split())


def face_ids(text: str) -> tuple[str, ...]:
    """Ids with commas between."""
    return tuple(face_id(name) for name in text.split(","))


def _parted(text: str, form: str) -> tuple[str, str]:
    """What stands on both sides of "="; `form` is how an option is written, "--value NAME=NUMBER"."""
    left, equals, right = (part.strip() for part in text.partition("="))
    if not left or not equals or not (right or form.startswith("--face")):
        raise click.UsageError(f"{form.replace(' ', ': expected ', 1)}, found '{text[:60]}'")
    return left, right


def pictured(text: str) -> tuple[str, tuple[Path, ...]]:
    """NAME=PICTURE[,PICTURE…]."""
    face, paths = _parted(text, "--face NAME=PICTURE[,PICTURE…]")
    whole = Path(paths).is_file()  # a comma may be part of a file's name
    return face_id(face), tuple(Path(part) for part in ([paths] if whole else paths.split(",")) if part)


def labelled(text: str) -> tuple[str, str, str]:
    """[LANGUAGE:]NAME=TEXT as language, face and text."""
    name, label = _parted(text, "--label [LANGUAGE:]NAME=TEXT")
    language, _, face = name.rpartition(":")
    return language.lower() or "en", face_id(face), label


def titled(text: str) -> tuple[str, str]:
    """[LANGUAGE:]TEXT as language and text."""
    language, _, title = text.partition(":")
    if language.isalpha() and len(language) in (2, 3) and title.strip():
        return language.lower(), title.strip()
    return "en", text.strip()


def valued(text: str) -> tuple[str, int]:
    """NAME=NUMBER."""
    face, number = _parted(text, "--value NAME=NUMBER")
    if not number.lstrip("-").isdecimal() or len(number) > 6:
        raise click.UsageError(f"--value: expected a face and a whole number, found '{text[:60]}'")
    return face_id(face), int(number)


def net(text: str) -> tuple[Shape, tuple[str, ...]]:
    """SHAPE=NAME,…"""
    name, faces = _parted(text, "--net SHAPE=NAME,…")
    if (shape := shape_named(name)) is None:
        raise click.UsageError(f"--net: expected {' or '.join(SHAPES)}, found '{name[:20]}'")
    return shape, face_ids(faces)


@dataclass(frozen=True, slots=True)
class SetOptions:
    """The options about the set, each as often as it was given."""

    shapes: tuple[str, ...]
    faces: tuple[tuple[str, tuple[Path, ...]], ...]
    blanks: tuple[str, ...]
    titles: tuple[tuple[str, str], ...]
    labels: tuple[tuple[str, str, str], ...]
    values: tuple[tuple[str, int], ...]
    marks: tuple[tuple[str, ...], ...]
    nets: tuple[tuple[Shape, tuple[str, ...]], ...]


described = grouped(
    "about", SetOptions,
    click.option("--net", "nets", multiple=True, type=net, metavar="SHAPE=NAME,…",
                 help="The faces of one die; a face may be on it twice."),
    click.option("--mark", "marks", multiple=True, type=face_ids, metavar="NAME,NAME",
                 help="Faces that only a mark tells apart, like 6 and 9."),
    click.option("--value", "values", multiple=True, type=valued, metavar="NAME=NUMBER",
                 help="The number a face counts as."),
    click.option("--label", "labels", multiple=True, type=labelled, metavar="[LANGUAGE:]NAME=TEXT",
                 help="What a face is called; de:emu=Emu."),
    click.option("--title", "titles", multiple=True, type=titled, metavar="[LANGUAGE:]TEXT",
                 help="The set's name; de:Meine Würfel."),
    click.option("--blank", "blanks", multiple=True, type=face_id, metavar="NAME",
                 help="A blank face; it needs no picture."),
    click.option("--face", "faces", multiple=True, type=pictured, metavar="NAME=PICTURE[,PICTURE…]",
                 help="Pictures of one face on top."),
    click.option("--shape", "shapes", multiple=True, type=click.Choice([shape.value for shape in SHAPES]),
                 help="The shape of the dice; give both for a mixed set."),
)  # fmt: skip


@click.command(name="enroll")
@click.argument("set_id", metavar="ID")
@described
@click.option("--add", "adding", is_flag=True, help="Add to an existing set of yours.")
@click.option("--replace", "replacing", is_flag=True, help="Replace an existing set of yours.")
@click.option("--pictures", "folder", type=click.Path(path_type=Path), metavar="DIR",
              help="Save pictures of faces that look alike, side by side.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(
    set_id: str, about: SetOptions, adding: bool, replacing: bool, folder: Path | None, as_json: bool
) -> None:
    """Make the dice set ID from pictures of its faces.

    Each picture shows one die of the set with that face up, anywhere in the frame; several dice that show the same
    face are several examples. One picture a face is enough to begin with; three are better. What will go wrong is
    said: faces that look alike, pictures that are blurred, too small or glaring.
    """
    from vision.detect.detector import Detector
    from vision.embedding import Matcher
    from vision.enrol.enrol import check_wish, enrol

    wish = wish_of(set_id, about, adding)
    check_wish(wish)  # before the networks are opened
    count = sum(map(len, wish.pictures.values()))
    watched = sys.stderr.isatty()
    with click.progressbar(length=count, label=set_id, file=sys.stderr, hidden=not watched) as bar:
        made = enrol(
            wish, Detector(), Matcher(), replacing=replacing, adding=adding, step=lambda: bar.update(1)
        )
    shown = _alike_pictures(made, folder) if folder is not None else []
    if as_json:
        click.echo(json.dumps(as_record(made, shown), ensure_ascii=False))
        return
    for line in in_words(made):
        click.echo(line)
    for path in shown:
        click.echo(f"side by side: {click.format_filename(path)}")


def wish_of(set_id: str, about: SetOptions, adding: bool) -> Wish:
    """What the options ask for. UsageError, EnrolError in one line for what they cannot mean."""
    from vision.dicesets.files import FaceNote, SetNote
    from vision.dicesets.library import load, own_sets
    from vision.dicesets.model import SHIPPED_SETS, note_like, note_of
    from vision.enrol.enrol import EnrolError, Wish

    key = face_id(set_id)
    there, shipped = own_sets() / key, SHIPPED_SETS / key
    if adding and not (there / "set.toml").is_file():
        raise click.UsageError(f"expected a set of yours to add to, found no '{key}' in {there.parent}")
    before = note_of(load(there)) if adding else SetNote(key, {}, (), ())
    known = {face.id: face for face in before.faces}
    pictures: dict[str, tuple[Path, ...]] = {}
    for name, paths in about.faces:
        pictures[name] = (*pictures.get(name, ()), *paths)
    faces = {name: known.get(name) or FaceNote(name) for name in (*known, *pictures, *about.blanks)}
    for option, name, said in (*(("--label", one[1], one[2]) for one in about.labels),
                               *(("--value", one[0], one[1]) for one in about.values)):  # fmt: skip
        if name not in faces:
            raise click.UsageError(f"{option}: expected one of {', '.join(faces)}, found '{name}={said}'")
    for language, name, text in about.labels:
        faces[name] = replace(faces[name], labels={**faces[name].labels, language: text})
    for name, number in about.values:
        faces[name] = replace(faces[name], value=number)
    if not about.shapes and not adding:
        raise click.UsageError("expected --shape d6 or --shape d8 (both for a mixed set), found none")
    if adding and not any(astuple(about)):
        raise EnrolError("there is nothing to add to “{set}”; see --help", set=key)
    note = replace(
        before,
        title={**before.title, **dict(about.titles)},
        shapes=tuple(shape for shape in SHAPES if shape in about.shapes or shape in before.shapes),
        faces=tuple(faces.values()),
        nets={**before.nets, **dict(about.nets)},
        marks=about.marks or before.marks,
    )
    if not adding and (shipped / "set.toml").is_file():
        # Their own stickers for a game's dice: the game's names for the faces come along.
        note = note_like(note, load(shipped))
    return Wish(note, pictures, about.blanks, tuple(known))


def _alike_pictures(made: Enrolled, folder: Path) -> list[Path]:
    """Side by side, the most alike examples of the faces that a problem names."""
    from vision.enrol.beside import write_pairs

    pictures = {(face.id, picture.name): picture for face in made.dice_set.faces for picture in face.pictures}
    troubled = {problem.faces for problem in made.problems}
    pairs: dict[str, list[tuple[Any, str]]] = {}
    for pair in made.comparison.alike:
        both = [(pictures.get(key), key[0]) for key in zip(pair.faces, pair.names, strict=True)]
        found = [(picture.pixels(), face) for picture, face in both if picture is not None]
        if pair.faces in troubled and len(found) == 2:
            pairs["-and-".join(pair.faces)] = found
    return write_pairs(folder, pairs)


def said(problem: Problem) -> str:
    """A problem, and the picture it is about."""
    from words.problems import judged
    from words.speaker import speaker

    return (f"{problem.source}: " if problem.source else "") + speaker().clause(judged(problem))


def in_words(made: Enrolled) -> list[str]:
    """What was made, and what will go wrong with it."""
    own = made.dice_set
    counts = ", ".join(f"{face} {count}" for face, count in made.counts.items())
    lines = [
        f"{own.id}: {len(own.faces)} faces, {sum(made.counts.values())} examples ({counts})",
        f"in {own.folder}",
    ]
    lines += [f"! {said(problem)}" for problem in made.problems]
    tried = made.comparison
    if tried.accuracy is not None:
        lines.append(
            f"leaving each example out: {tried.right} of {tried.judged} named rightly ({tried.accuracy:.0%})"
        )
        for face, named in tried.confusion.items():
            wrong = {other: count for other, count in named.items() if other != face}
            if wrong:
                lines.append(f"  {face} taken for " + ", ".join(f"{o} {c}×" for o, c in wrong.items()))
    for one in tried.alike[:1]:
        near = f"likeness {one.likeness:.2f}, margin {one.margin:+.2f}"
        lines.append(f"nearest faces: {one.faces[0]} and {one.faces[1]} ({near})")
    if missing := [face for face, count in made.counts.items() if count == 1]:
        lines.append(f"one picture only of {', '.join(missing)}: two more of each make reading surer")
    lines.append(f"read with it: tableside read --set {own.id} PICTURE…")
    return lines


def as_record(made: Enrolled, shown: Sequence[Path]) -> dict[str, Any]:
    """The same as plain values."""
    tried = made.comparison
    return {
        "id": made.dice_set.id,
        "folder": str(made.dice_set.folder),
        "examples": dict(made.counts),
        "problems": [
            {"kind": p.kind, "faces": list(p.faces), "said": said(p), "measured": round(p.measured, 4)}
            for p in made.problems
        ],
        "leave_one_out": {
            "right": tried.right,
            "of": tried.judged,
            "accuracy": None if tried.accuracy is None else round(tried.accuracy, 4),
            "confusion": {face: dict(named) for face, named in tried.confusion.items()},
        },
        "alike": [
            {"faces": list(p.faces), "likeness": round(p.likeness, 4), "margin": round(p.margin, 4)}
            for p in tried.alike[:10]
        ],
        "pictures": [str(path) for path in shown],
    }
