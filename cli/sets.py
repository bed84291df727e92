"""`tableside sets`: which dice sets there are."""

from __future__ import annotations

import json

import click

from vision.diceset import DiceSet, survey


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
        click.echo(f"tableside: left out: {error}", err=True)


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
