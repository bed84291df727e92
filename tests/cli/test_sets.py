"""`tableside sets` and `tableside print`, as a shell sees them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.cli.door import Said, tableside


@pytest.fixture
def own_sets(folder: Path) -> Path:
    (folder / "dicesets").mkdir(parents=True)
    return folder / "dicesets"


def sets(*words: str) -> Said:
    return tableside("sets", *words)


def test_sets_are_listed_with_their_faces_and_a_broken_one_goes_to_stderr(own_sets: Path) -> None:
    (own_sets / "broken").mkdir()
    (own_sets / "broken" / "set.toml").write_text("id = ")
    listed = sets()
    assert "outlander    d6+d8  8 faces" in listed.out
    assert "cat, two-cats, sigil, dd, thoromyr, manticore" in listed.out
    assert listed.out.count("(shipped)") == 6
    described = {entry["id"]: entry for entry in sets("--json").json}
    assert set(described) == {"cats", "fate", "outback", "outlander", "pips", "pirates"}
    assert described["pips"]["faces"][5] == {"id": "6", "labels": {"en": "6"}, "value": 6, "pictures": 5}
    assert described["outback"]["faces"][4]["labels"]["de"] == "Waran"
    assert described["fate"]["from"] == "shipped"
    (line,) = listed.err.splitlines()
    assert "broken" in line


def test_print_writes_a_pdf_and_says_what_to_check(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.pdf"
    for words in (("Fate", "--dice", "2", "--picture", "serif"), ("markers",)):
        printed = tableside("print", *words, "-o", str(sheet))
        assert printed.code == 0, printed.err
        assert ("ruler" in printed.out) == (words[0] == "Fate")
        assert sheet.read_bytes().startswith(b"%PDF-")
    assert [file.name for file in tmp_path.glob("*sheet*")] == ["sheet.pdf"]


def own(folder: Path) -> Path:
    """A set of two faces with an example each."""
    home = folder / "birds"
    outline = [[4, 4], [60, 4], [60, 60], [4, 60]]
    listed: list[dict[str, object]] = []
    for number, face in enumerate(("owl", "wren")):
        pixels = np.full((64, 64, 3), 230, np.uint8)
        cv2.putText(pixels, "XO"[number], (14, 48), 0, 1.6, (20, 20, 20), 6)
        for name in ("enrolled-01", "enrolled-02"):
            for part, ending in (("faces", ".d6.png"), ("examples", ".png")):
                path = home / part / face / f"{name}{ending}"
                path.parent.mkdir(parents=True, exist_ok=True)
                cv2.imwrite(str(path), pixels)
            listed.append(
                {
                    "face": face, "name": name, "shape": "d6", "origin": "enrolled", "source": "a.jpg",
                    "added": "2026-11-21T00:00:00Z", "side": 56, "spread": 0, "outlines": [outline],
                    "doubtful": False,
                }
            )  # fmt: skip
    (home / "examples.json").write_text(json.dumps({"version": 1, "examples": listed}))
    (home / "set.toml").write_text(
        'id = "birds"\nshapes = ["d6"]\n[[faces]]\nid = "owl"\n[[faces]]\nid = "wren"\n'
    )
    return home


@pytest.mark.slow
def test_examples_are_listed_drawn_and_deleted(own_sets: Path, tmp_path: Path) -> None:
    home = own(own_sets)
    listed = sets("examples", "birds", "--sheet", str(tmp_path / "all.png"))
    assert [line.split()[0] for line in listed.out.splitlines()] == [
        "owl/enrolled-01", "owl/enrolled-02", "wren/enrolled-01", "wren/enrolled-02",
    ]  # fmt: skip
    assert cv2.imread(str(tmp_path / "all.png")) is not None
    assert len(sets("examples", "birds", "--delete", "owl/enrolled-01", "--json").json) == 3
    assert not (home / "faces" / "owl" / "enrolled-01.d6.png").exists()
    last = sets("examples", "birds", "--delete", "owl/enrolled-02")
    assert last.code == 2
    assert "only picture" in last.err
    assert sets("examples", "cats").out == "cats: no examples; its faces are drawn\n"


def test_sets_go_out_and_come_in(own_sets: Path, tmp_path: Path) -> None:
    own(own_sets)
    file = tmp_path / "birds.tableside-set"
    for target in (tmp_path, file):
        assert sets("export", "Birds", "-o", str(target)).out == f"birds: 8 pictures in {file}\n"
    assert file.is_file()
    came = sets("import", str(file), "--as", "more-birds")
    assert "more-birds: 2 faces (owl, wren)" in came.out
    assert (own_sets / "more-birds" / "examples" / "owl" / "enrolled-01.png").is_file()
    for words, said in (([], "replace it or choose another name"), (["--as", "../evil"], "lower-case letters")):
        refused = sets("import", str(file), *words)
        assert refused.code == 2
        assert refused.err.startswith(f"tableside: {file}: ")
        assert said in refused.err
    assert not (own_sets.parent / "evil").exists()


@pytest.mark.parametrize(
    "hostile",
    [
        '[title]\n"\\u001b[2J\\u001b]0;owned\\u0007" = ""\n',
        '[title]\n"\\u001b[2J" = "Owned"\n',
        '[art_scale]\n"\\u001b[2J" = 9\n',
        '[new."\\u001b[2J"]\nx = 1\n',
        '[[credits]]\n"\\u202etxt" = 1\n',
    ],
)
def test_a_strangers_set_sends_nothing_raw_to_the_terminal(own_sets: Path, tmp_path: Path, hostile: str) -> None:
    home = own(own_sets)
    toml = home / "set.toml"
    head, mark, faces = toml.read_text().partition("[[faces]]")
    toml.write_text(f"{head}{hostile}{mark}{faces}")
    pack = tmp_path / "evil.zip"
    with zipfile.ZipFile(pack, "w") as archive:
        for path in home.rglob("*"):
            archive.write(path, path.relative_to(own_sets))
    for words in (["import", str(pack), "--as", "evil"], ["import", str(pack), "--replace"], []):
        said = sets(*words)
        assert "set.toml" in said.err
        assert all(sign.isprintable() or sign == "\n" for sign in said.out + said.err), ascii(said)
