"""A shape is a record in `vision/dicesets/shapes.py`; nothing else knows one by its id or its corners."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from vision.dicesets.shapes import SHAPES, Shape, shape_named, shape_outlined
from vision.render.solid import solid

ROOT = Path(__file__).parents[2]
HOME = "vision/dicesets/shapes.py"
NAMES_OF_SHAPES = {"web/language.py"}
"""What shapes are called in each language."""
TAKES_FOR_GRANTED = re.compile(
    r"[\"']d[68][\"']|\b4 if .+ else 3\b|\b3 if .+ else 4\b|\bsides [!=]= [34]\b"
    r"|len\([\w.]*(corners|outline|points|face|top|side)\) [!=]= [34]\b"
)
OF_THE_TABLE = {"vision/region.py"}
"""The four corners of a table."""


def product() -> list[str]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    endings = (".py", ".html", ".js", ".css")
    return [name for name in listed.split("\n") if name.split("/")[0] in rooms and name.endswith(endings)]


@pytest.mark.parametrize("ending", ["py", "html", "js", "css"])
def test_no_other_file_names_a_shape_or_tells_one_by_its_corners(ending: str):
    files = [name for name in product() if name.endswith(f".{ending}")]
    assert files
    found = [
        f"{name}:{number}: {line.strip()}"
        for name in files
        if name not in {HOME, *NAMES_OF_SHAPES, *OF_THE_TABLE} and (ROOT / name).is_file()
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").split("\n"), 1)
        if TAKES_FOR_GRANTED.search(line)
    ]
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_what_a_player_installs_asks_a_shape_and_compares_none():
    for name in product():
        if not name.endswith(".py") or name.startswith("training/") or not (ROOT / name).is_file():
            continue
        for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                for part in (node.left, *node.comparators):
                    named = isinstance(part, ast.Attribute) and ast.unparse(part.value) == "Shape"
                    assert not named, f"{name}:{node.lineno}: {ast.unparse(node)}"


@pytest.mark.parametrize("shape", SHAPES)
def test_a_record_agrees_with_itself(shape: Shape):
    body = solid(shape)
    assert len(shape.normals) == len(shape.ups) == shape.faces
    assert sorted(shape.net) == list(range(shape.faces)) == sorted(cell[0] for cell in shape.unfolded)
    for place in range(shape.faces):  # the first place of a net is opposite the last, and so on inwards
        front, back = (body.normals[shape.net[at]] for at in (place, shape.faces - 1 - place))
        assert np.allclose(front, -back)
    edges = body.corners - np.roll(body.corners, 1, axis=1)
    assert np.allclose(np.linalg.norm(edges, axis=2), 1, atol=1e-5)
    assert body.apothem == pytest.approx(shape.height / 2)
    outline = np.array(shape.outline)
    x, y = outline.T
    assert shape.area == pytest.approx(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)
    assert shape_named(str(shape)) is shape_outlined(shape.corners) is shape


def test_what_is_no_shape():
    assert shape_named("d7") is None
    with pytest.raises(ValueError, match="3"):
        shape_outlined(5)
