"""`tableside sets`: which dice sets there are, sets as files, and the examples of their faces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.main import complain
from files.atomic import write_whole
from messages.message import naming
from vision.dicesets.files import DiceSetError
from vision.dicesets.library import find, survey
from vision.dicesets.model import DiceSet

if TYPE_CHECKING:
    from vision.enrol.examples import CheckedExample


@click.group("sets", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the dice sets: the shipped ones and your own."""
    if context.invoked_subcommand is not None:
        return
    usable, faulty = survey()
    if as_json:
        click.echo(json.dumps([described(dice_set) for dice_set in usable], ensure_ascii=False, indent=2))
    else:
        for dice_set in usable:
            pictures = sum(len(face.pictures) for face in dice_set.faces)
            counts = f"{len(dice_set.faces)} faces, {pictures} pictures"
            origin = "shipped" if dice_set.shipped else str(dice_set.folder)
            shapes = "+".join(dice_set.shapes)
            click.echo(f"{dice_set.id:12} {shapes:6} {counts:22} {dice_set.name()} ({origin})")
            click.echo(f"{'':12} {', '.join(dice_set.face_ids)}")
    for error in faulty:
        # One broken folder must not keep people from the others.
        complain(f"left out: {error}")


@command.command("export")
@click.argument("set_id", metavar="ID")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), metavar="FILE", help="Default: ID.tableside-set"
)
def export(set_id: str, out: Path | None) -> None:
    """Write the set ID and its examples as one file. Its pictures show dice and a little of the table."""
    from vision.dicesets.package import SUFFIX, packed

    dice_set = find(set_id)
    name = f"{dice_set.id}{SUFFIX}"
    target = Path(name) if out is None else out / name if out.is_dir() else out
    write_whole(target, packed(dice_set), 0o644)
    pictures = [picture for face in dice_set.faces for picture in face.pictures]
    count = len(pictures) + sum(picture.example is not None for picture in pictures)
    click.echo(f"{dice_set.id}: {count} pictures in {click.format_filename(target)}")


@command.command("import")
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--as", "name", metavar="ID", help="Give it another id.")
@click.option("--replace", "replacing", is_flag=True, help="Replace a set of yours of this id.")
def import_(file: Path, name: str | None, replacing: bool) -> None:
    """Add the set in FILE to yours. It may come from anybody: it is checked, and nothing in it is run."""
    from vision.dicesets.package import import_set

    with file.open("rb") as source, naming(str(file), DiceSetError):
        added = import_set(source, name=name, replacing=replacing)
    click.echo(f"{added.id}: {len(added.faces)} faces ({', '.join(added.face_ids)}) in {added.folder}")


@command.command("examples")
@click.argument("set_id", metavar="ID")
@click.option("--delete", "deleted", multiple=True, metavar="FACE/NAME", help="Forget this example.")
@click.option(
    "--trust",
    "trusted",
    multiple=True,
    metavar="FACE/NAME",
    help="Compare with this doubtful example after all.",
)
@click.option(
    "--sheet", type=click.Path(path_type=Path), metavar="FILE.png", help="Draw all of them on one picture."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON list.")
def examples(
    set_id: str, deleted: tuple[str, ...], trusted: tuple[str, ...], sheet: Path | None, as_json: bool
) -> None:
    """List, look at and delete the enrolled and corrected pictures of the set ID.

    One that contradicts its face is marked with what it looks like instead; a corrected die that does is not compared
    with until you say --trust.
    """
    from vision.enrol.examples import SetExamples

    dice_set = find(set_id)
    own = SetExamples(dice_set)
    for option in deleted:
        own.forget(*_parts(option))
    for option in trusted:
        own.trust(*_parts(option))
    listed = own.listed()
    if sheet is not None:
        from vision.enrol.beside import examples_sheet
        from vision.picture import save_picture

        save_picture(examples_sheet([one.example for one in listed]), sheet)
    if as_json:
        click.echo(json.dumps([_record(one) for one in listed], ensure_ascii=False, indent=2))
        return
    for one in listed:
        click.echo(_line(one))
    if not listed:
        click.echo(f"{dice_set.id}: no examples; its faces are drawn")


def _parts(option: str) -> tuple[str, str]:
    face, slash, name = option.partition("/")
    if not slash:
        raise click.UsageError(f"expected FACE/NAME as they are listed, found '{option[:60]}'")
    return face, name


def _line(listed: CheckedExample) -> str:
    """An example as people see it in the list."""
    one, against = listed.example, listed.against
    line = (
        f"{one.face}/{one.name}  {one.shape}, {one.side:.0f} px, {one.origin} {one.added} from {one.source}"
    )
    if against is not None:
        line += f"  ! looks more like {against.like} ({against.other:.2f} against {against.own:.2f})"
    return line + ("  ! not compared with" if one.doubtful else "")


def _record(listed: CheckedExample) -> dict[str, object]:
    """The same as `--json` prints it."""
    one = listed.example
    plain = ("face", "name", "shape", "origin", "source", "added", "side", "doubtful")
    return {
        **{name: getattr(one, name) for name in plain},
        "looks_like": None if listed.against is None else listed.against.like,
        "picture": str(one.face_path),
        "around": str(one.path),
    }


def described(dice_set: DiceSet) -> dict[str, object]:
    """A set as `--json` prints it."""
    return {
        "id": dice_set.id,
        "title": dict(dice_set.title),
        "shapes": list(dice_set.shapes),
        "faces": [
            {
                "id": face.id,
                "labels": dict(face.labels),
                "value": face.value,
                "pictures": len(face.pictures),
            }
            for face in dice_set.faces
        ],
        "pictures": sum(len(face.pictures) for face in dice_set.faces),
        "from": "shipped" if dice_set.shipped else "own",
        "folder": str(dice_set.folder),
    }
