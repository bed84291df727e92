"""`tableside print`: a sheet of stickers, to make dice of a set."""

from __future__ import annotations

import errno
from pathlib import Path

import click

from files.atomic import write_whole
from vision.dicesets.library import find
from vision.dicesets.printing import PAPERS, USUAL_SIZE, Paper, sheet
from vision.dicesets.shapes import SHAPES, Shape


@click.command("print")
@click.argument("set_id", metavar="SET")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The PDF to write.")
@click.option(
    "--shape", "shapes", multiple=True, type=click.Choice([shape.value for shape in SHAPES]),
    help="Only dice of this shape.",
)  # fmt: skip
@click.option("--dice", default=6, show_default=True, help="How many dice of each shape.")
@click.option(
    "--size", default=USUAL_SIZE, show_default=True, help="The dice's size in mm, from face to opposite face."
)
@click.option("--paper", default="a4", show_default=True, type=click.Choice(tuple(PAPERS)))
@click.option(
    "--picture", default="", help="Which pictures, of a set with several for a face (fate: serif …)."
)
@click.option("--language", default="en", show_default=True, help="The language of the labels.")
def command(
    set_id: str,
    output: Path,
    shapes: tuple[Shape, ...],
    dice: int,
    size: float,
    paper: Paper,
    picture: str,
    language: str,
) -> None:
    """Write a PDF with true-size stickers for the dice of SET: print, cut out, stick on blank dice.

    With `markers` as SET, the four markers that show a camera where the table is (`serve --region markers`).
    """
    if set_id == "markers":
        from vision.region import marker_sheet

        pages, told = marker_sheet(), "print it, cut out the markers and lay one at each corner of the table"
    else:
        pages = sheet(find(set_id), shapes, dice, size, paper, picture, language)
        told = "print it at 100 %, and check that its ruler measures 50 mm"
    if not output.parent.is_dir():
        raise NotADirectoryError(
            errno.ENOTDIR, "expected a folder to write to, found none", str(output.parent)
        )
    write_whole(output, pages, mode=0o666)
    click.echo(f"{output}: {told}")
