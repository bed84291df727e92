"""`tableside read`: which faces a picture shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.main import complain

if TYPE_CHECKING:
    from vision.reading import DieReading, Reading


@click.command(name="read")
@click.argument("pictures", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PICTURE…")
@click.option("--set", "set_id", required=True, metavar="ID", help="The dice set (see `tableside sets`).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per picture, one per line.")
@click.option(
    "--draw",
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="Save annotated copies: a file for one picture, a folder for several.",
)
def command(pictures: tuple[Path, ...], set_id: str, as_json: bool, draw: Path | None) -> None:
    """Read the dice in each PICTURE (JPEG, PNG or WebP).

    A face with a question mark is a guess; what else it may be follows in brackets. A picture that cannot be
    read does not stop the others; the exit code is then 2.
    """
    from vision.dicesets.library import find
    from vision.picture import PictureError, load_picture
    from vision.reader import Reader

    reader = Reader(find(set_id))
    failed: list[str] = []
    for path in pictures:
        try:
            pixels = load_picture(path)
        except PictureError as error:
            failed.append(click.format_filename(path))
            complain(str(error))
            continue
        reading = reader.read(pixels)
        click.echo(
            json.dumps(as_record(path, reading), ensure_ascii=False) if as_json else _in_words(path, reading)
        )
        if draw is not None:
            from vision.picture import annotate, save_picture

            target = draw / f"{path.stem}.png" if len(pictures) > 1 or draw.is_dir() else draw
            save_picture(annotate(pixels, reading), target)
    if failed:
        if len(pictures) > 1:
            missing = f"{len(failed)} of {len(pictures)} pictures could not be read"
            complain(f"{missing}: {', '.join(failed)}")
        raise SystemExit(2)


def as_record(path: Path, reading: Reading) -> dict[str, Any]:
    """One picture's reading as plain values, in the form that scripts rely on."""
    return {
        "image": click.format_filename(path),
        "width": reading.width,
        "height": reading.height,
        "dice": [_die(die) for die in reading.dice],
        "ms": {
            "detect": reading.times.detect,
            "identify": reading.times.identify,
            "total": reading.times.total,
        },
        **({"trouble": reading.trouble} if reading.trouble else {}),
    }


def _die(die: DieReading) -> dict[str, Any]:
    return {
        "face": die.face,
        "shape": die.shape,
        "certain": die.certain,
        "confidence": round(die.confidence, 4),
        "alternatives": [{"face": a.face, "confidence": round(a.confidence, 4)} for a in die.alternatives],
        "corners": [[round(x, 1), round(y, 1)] for x, y in die.corners],
        "box": [round(edge, 1) for edge in die.box],
    }


def _in_words(path: Path, reading: Reading) -> str:
    found = ", ".join(_word(die) for die in reading.dice) or "no dice found"
    why = f" (the picture is {reading.trouble})" if reading.trouble else ""
    return f"{click.format_filename(path)}: {found}{why}"


def _word(die: DieReading) -> str:
    if die.certain:
        return die.face
    others = [f"{a.face} {a.confidence:.0%}" for a in die.alternatives[1:3]]
    return f"{die.face}? ({', '.join([f'{die.confidence:.0%}', *others])})"
