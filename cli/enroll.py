"""`tableside enroll`: a dice set of your own, from pictures of its faces."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vision.dicesets.shapes import SHAPES, Shape, shape_named

if TYPE_CHECKING:
    from vision.dicesets.model import DiceSet
    from vision.enrol.describe import SetNote
    from vision.enrol.enrol import Enrolled, Wish


@click.command(name="enroll")
@click.argument("set_id", metavar="ID")
@click.option(
    "--shape",
    "shapes",
    multiple=True,
    type=click.Choice([shape.value for shape in SHAPES]),
    help="Of its dice; both for a mixed set.",
)
@click.option(
    "--face", "faces", multiple=True, metavar="NAME=PICTURE[,PICTURE…]", help="Pictures of one face on top."
)
@click.option(
    "--blank", "blanks", multiple=True, metavar="NAME", help="A face that shows nothing, without a picture."
)
@click.option(
    "--title", "titles", multiple=True, metavar="[LANGUAGE:]TEXT", help="The set's name; de:Meine Würfel."
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="[LANGUAGE:]NAME=TEXT",
    help="What a face is called; de:emu=Emu.",
)
@click.option("--value", "values", multiple=True, metavar="NAME=NUMBER", help="What a face counts as.")
@click.option(
    "--mark",
    "marks",
    multiple=True,
    metavar="NAME,NAME",
    help="Faces that only a mark tells apart, as 6 and 9.",
)
@click.option(
    "--net",
    "nets",
    multiple=True,
    metavar="SHAPE=NAME,…",
    help="The faces of one die; a face may be on it twice.",
)
@click.option("--add", "adding", is_flag=True, help="Add to a set of yours that is there.")
@click.option("--replace", "replacing", is_flag=True, help="Replace a set of yours that is there.")
@click.option(
    "--pictures",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write faces that look alike side by side.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(
    set_id: str,
    shapes: tuple[str, ...],
    faces: tuple[str, ...],
    blanks: tuple[str, ...],
    titles: tuple[str, ...],
    labels: tuple[str, ...],
    values: tuple[str, ...],
    marks: tuple[str, ...],
    nets: tuple[str, ...],
    adding: bool,
    replacing: bool,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Make the dice set ID from pictures of its faces.

    Each picture shows one die of the set with that face up, anywhere in the frame; several dice that show the same
    face are several examples. One picture a face is enough to begin with; three are better. What will go wrong is
    said: faces that look alike, pictures that are blurred, too small or glaring.
    """
    from vision.detect import Detector
    from vision.embedding import Matcher
    from vision.enrol.enrol import enrol

    wish = _wish(set_id, shapes, faces, blanks, titles, labels, values, marks, nets, adding)
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


def _wish(
    set_id: str,
    shapes: Sequence[str],
    faces: Sequence[str],
    blanks: Sequence[str],
    titles: Sequence[str],
    labels: Sequence[str],
    values: Sequence[str],
    marks: Sequence[str],
    nets: Sequence[str],
    adding: bool,
) -> Wish:
    """What the options ask for. UsageError in one line for what they cannot mean."""
    from vision.dicesets.library import load, own_sets
    from vision.dicesets.model import SHIPPED_SETS
    from vision.enrol.describe import FaceNote, SetNote, note_like
    from vision.enrol.enrol import EnrolError, Wish

    key = face_id(set_id)
    there = own_sets() / key
    before: SetNote | None = None
    if adding:
        if not (there / "set.toml").is_file():
            raise click.UsageError(f"expected a set of yours to add to, found no '{key}' in {there.parent}")
        before = SetNote.of(load(there))
    pictures: dict[str, tuple[Path, ...]] = {}
    for option in faces:
        name, paths = _named_pictures(option)
        pictures[name] = (*pictures.get(name, ()), *paths)
    blank = tuple(face_id(name) for name in blanks)
    known = {face.id: face for face in before.faces} if before else {}
    names = list(dict.fromkeys([*known, *pictures, *blank]))
    called: dict[str, dict[str, str]] = {
        name: dict(known[name].labels) if name in known else {} for name in names
    }
    for option in labels:
        language, name, text = _labelled(option)
        if name not in called:
            raise click.UsageError(f"--label: expected one of {', '.join(names)}, found '{name}'")
        called[name][language] = text
    counted: dict[str, int | None] = {name: known[name].value if name in known else None for name in names}
    for option in values:
        name, number = _split(option, "--value", "NAME=NUMBER")
        name = face_id(name)
        if name not in counted or not number.lstrip("-").isdecimal() or len(number) > 6:
            raise click.UsageError(f"--value: expected a face and a whole number, found '{option[:60]}'")
        counted[name] = int(number)
    asked: list[Shape] = [shape for shape in SHAPES if shape in shapes]
    if not asked and before is None:
        raise click.UsageError("expected --shape d6 or --shape d8 (both for a mixed set), found none")
    called_sets = dict(_titled(option) for option in titles)
    net_of: dict[Shape, tuple[str, ...]] = dict(before.nets) if before else {}
    for option in nets:
        shape, listed = _split(option, "--net", "SHAPE=NAME,…")
        if (known_shape := shape_named(shape)) is None:
            raise click.UsageError(f"--net: expected d6 or d8, found '{shape[:20]}'")
        net_of[known_shape] = tuple(face_id(name) for name in listed.split(","))
    note = SetNote(
        id=key,
        title={**(before.title if before else {}), **called_sets},
        shapes=tuple(asked)
        if before is None
        else tuple(s for s in SHAPES if s in asked or s in before.shapes),
        faces=tuple(
            FaceNote(name, called[name], counted[name], known[name].aliases if name in known else ())
            for name in names
        ),
        nets=net_of,
        marks=tuple(tuple(face_id(name) for name in group.split(",")) for group in marks)
        or (before.marks if before else ()),
        credits=before.credits if before else (),
        art_scales=before.art_scales if before else {},
        printed=before.printed if before else "",
    )
    if before is None and (SHIPPED_SETS / key / "set.toml").is_file():
        # Their own stickers for a game's dice: the game's names for the faces come along.
        note = note_like(note, load(SHIPPED_SETS / key))
    wish = Wish(note, pictures, blank, tuple(known))
    if (
        adding
        and not pictures
        and not blank
        and not labels
        and not titles
        and not values
        and not marks
        and not nets
    ):
        raise EnrolError("expected something to add to '%(set)s', found nothing", set=key)
    return wish


def face_id(text: str) -> str:
    """What people type as an id: small letters, dashes for spaces and underscores."""
    return "-".join(text.strip().lower().replace("_", " ").split())


def _split(option: str, name: str, form: str) -> tuple[str, str]:
    left, equals, right = option.partition("=")
    if not equals or not left.strip() or not right.strip():
        raise click.UsageError(f"{name}: expected {form}, found '{option[:60]}'")
    return left.strip(), right.strip()


def _named_pictures(option: str) -> tuple[str, tuple[Path, ...]]:
    left, equals, right = option.partition("=")
    if not equals or not left.strip():
        raise click.UsageError(f"--face: expected NAME=PICTURE[,PICTURE…], found '{option[:60]}'")
    if Path(right).is_file():  # a comma may be part of a file's name
        return face_id(left), (Path(right),)
    return face_id(left), tuple(Path(part) for part in right.split(",") if part)


def _labelled(option: str) -> tuple[str, str, str]:
    name, text = _split(option, "--label", "[LANGUAGE:]NAME=TEXT")
    language, colon, face = name.rpartition(":")
    return (language.lower(), face_id(face), text) if colon else ("en", face_id(name), text)


def _titled(option: str) -> tuple[str, str]:
    language, colon, text = option.partition(":")
    if colon and language.isalpha() and len(language) in (2, 3) and text.strip():
        return language.lower(), text.strip()
    return "en", option.strip()


def _alike_pictures(made: Enrolled, folder: Path) -> list[Path]:
    """Side by side, the most alike examples of the faces that a problem names."""
    from vision.enrol.beside import write_pairs

    pictures = {(face.id, picture.name): picture for face in made.dice_set.faces for picture in face.pictures}
    pairs: dict[str, list[tuple[Any, str]]] = {}
    troubled = {problem.faces for problem in made.problems if len(problem.faces) == 2}
    for pair in made.comparison.alike:
        if pair.faces in troubled:
            shown = [
                (face, pictures.get((face, name))) for face, name in zip(pair.faces, pair.names, strict=True)
            ]
            pairs["-and-".join(pair.faces)] = [(p.pixels(), face) for face, p in shown if p is not None]
    return write_pairs(folder, {name: faces for name, faces in pairs.items() if len(faces) == 2})


def in_words(made: Enrolled) -> list[str]:
    """What was made, and what will go wrong with it."""
    own: DiceSet = made.dice_set
    counts = ", ".join(f"{face} {count}" for face, count in made.counts.items())
    lines = [
        f"{own.id}: {len(own.faces)} faces, {sum(made.counts.values())} examples ({counts})",
        f"in {own.folder}",
    ]
    lines += [f"! {problem.said}" for problem in made.problems]
    tried = made.comparison
    if tried.accuracy is not None:
        lines.append(
            f"leaving each example out: {tried.right} of {tried.judged} named rightly ({tried.accuracy:.0%})"
        )
        for face, named in tried.confusion.items():
            wrong = {other: count for other, count in named.items() if other != face}
            if wrong:
                lines.append(f"  {face} taken for " + ", ".join(f"{o} {c}×" for o, c in wrong.items()))
    nearest = tried.alike[:1]
    lines += [
        f"nearest faces: {pair.faces[0]} and {pair.faces[1]} (likeness {pair.likeness:.2f}, margin {pair.margin:+.2f})"
        for pair in nearest
    ]
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
            {"kind": p.kind, "faces": list(p.faces), "said": p.said, "measured": round(p.measured, 4)}
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
