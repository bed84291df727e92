"""`tableside sets` and `tableside print`, as a shell sees them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from cli import print_, sets
from cli.main import complain, main
from vision.dicesets.files import DiceSetError
from vision.dicesets.package import PackError


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path))
    (tmp_path / "dicesets" / "broken").mkdir(parents=True)
    return tmp_path / "dicesets"


def test_sets_are_listed_with_their_faces_and_where_they_are_from() -> None:
    listed = CliRunner().invoke(sets.command)
    assert listed.exit_code == 0
    assert "outlander    d6+d8  8 faces" in listed.stdout
    assert "cat, two-cats, sigil, dd, thoromyr, manticore" in listed.stdout
    assert listed.stdout.count("(shipped)") == 5


def test_json_lists_every_set_and_a_broken_one_goes_to_stderr(own_folder: Path) -> None:
    (own_folder / "broken" / "set.toml").write_text("id = ")
    listed = CliRunner().invoke(sets.command, ["--json"])
    assert listed.exit_code == 0
    described = {entry["id"]: entry for entry in json.loads(listed.stdout)}
    assert set(described) == {"cats", "fate", "outback", "outlander", "pips"}
    assert described["pips"]["faces"][5] == {"id": "6", "labels": {"en": "6"}, "value": 6, "pictures": 5}
    assert described["outback"]["faces"][4]["labels"]["de"] == "Waran"
    assert described["fate"]["from"] == "shipped"
    (line,) = listed.stderr.splitlines()
    assert "broken" in line


def test_print_writes_a_pdf_and_says_what_to_check(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.pdf"
    printed = CliRunner().invoke(
        print_.command, ["Fate", "-o", str(sheet), "--dice", "2", "--picture", "serif"]
    )
    assert printed.exit_code == 0, printed.output
    assert "ruler" in printed.stdout
    assert sheet.read_bytes().startswith(b"%PDF-")
    assert [file.name for file in tmp_path.glob("*sheet*")] == ["sheet.pdf"]


def test_print_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    ask = CliRunner().invoke
    assert isinstance(ask(print_.command, ["nope", "-o", str(tmp_path / "a.pdf")]).exception, DiceSetError)
    assert isinstance(ask(print_.command, ["cats", "-o", str(tmp_path / "no" / "a.pdf")]).exception, OSError)
    assert ask(print_.command, ["cats", "-o", str(tmp_path / "a.pdf"), "--shape", "d20"]).exit_code == 2
    assert not (tmp_path / "a.pdf").exists()


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
def test_examples_are_listed_drawn_and_deleted(own_folder: Path, tmp_path: Path) -> None:
    home = own(own_folder)
    listed = CliRunner().invoke(sets.command, ["examples", "birds", "--sheet", str(tmp_path / "all.png")])
    assert listed.exit_code == 0, listed.output
    assert [line.split()[0] for line in listed.stdout.splitlines()] == [
        "owl/enrolled-01", "owl/enrolled-02", "wren/enrolled-01", "wren/enrolled-02",
    ]  # fmt: skip
    assert cv2.imread(str(tmp_path / "all.png")) is not None
    gone = CliRunner().invoke(sets.command, ["examples", "birds", "--delete", "owl/enrolled-01", "--json"])
    assert gone.exit_code == 0, gone.output
    assert len(json.loads(gone.stdout)) == 3
    assert not (home / "faces" / "owl" / "enrolled-01.d6.png").exists()
    last = CliRunner().invoke(sets.command, ["examples", "birds", "--delete", "owl/enrolled-02"])
    assert isinstance(last.exception, ValueError)
    assert "only one" in str(last.exception)
    for wrong in ("owl", "owl/nope", "../x/y"):
        refused = CliRunner().invoke(sets.command, ["examples", "birds", "--delete", wrong])
        assert refused.exit_code != 0
        assert isinstance(refused.exception, (ValueError, SystemExit))


def test_a_shipped_set_has_no_examples_yet() -> None:
    listed = CliRunner().invoke(sets.command, ["examples", "cats"])
    assert listed.stdout.splitlines() == ["cats: no examples; its faces are drawn"]


def test_sets_go_out_and_come_in(own_folder: Path, tmp_path: Path) -> None:
    own(own_folder)
    file = tmp_path / "birds.tableside-set"
    out = CliRunner().invoke(sets.command, ["export", "Birds", "-o", str(file)])
    assert out.exit_code == 0, out.output
    assert "8 pictures" in out.stdout
    refused = CliRunner().invoke(sets.command, ["import", str(file)])
    assert isinstance(refused.exception, PackError)
    came = CliRunner().invoke(sets.command, ["import", str(file), "--as", "more-birds"])
    assert came.exit_code == 0, came.output
    assert "more-birds: 2 faces (owl, wren)" in came.stdout
    assert (own_folder / "more-birds" / "examples" / "owl" / "enrolled-01.png").is_file()
    bad = CliRunner().invoke(sets.command, ["import", str(file), "--as", "../evil"])
    assert isinstance(bad.exception, PackError)
    assert not (own_folder.parent / "evil").exists()


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
def test_a_strangers_set_sends_nothing_raw_to_the_terminal(
    own_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], hostile: str
) -> None:
    home = own(own_folder)
    toml = home / "set.toml"
    whole = toml.read_text()
    head, mark, faces = whole.partition("[[faces]]")
    toml.write_text(f"{head}{hostile}{mark}{faces}")
    pack = tmp_path / "evil.zip"
    with zipfile.ZipFile(pack, "w") as packed:
        for path in home.rglob("*"):
            packed.write(path, path.relative_to(own_folder))
    for command in (["import", str(pack), "--as", "evil"], ["import", str(pack), "--replace"], []):
        with pytest.raises(SystemExit):
            main(["sets", *command])
        said = "".join(capsys.readouterr())
        assert "set.toml" in said
        assert all(sign.isprintable() or sign == "\n" for sign in said), ascii(said)


def test_what_is_wrong_is_said_without_what_steers_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    complain("a \x1b]0;owned\x07 b\n\ud800 Ä 🎲")
    assert capsys.readouterr().err == "tableside: a \\x1b]0;owned\\x07 b \\ud800 Ä 🎲\n"
