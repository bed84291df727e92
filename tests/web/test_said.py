"""What dice sets and teaching refuse is said in the device's language, and no line of it can be forgotten."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from flask import Flask
from flask.testing import FlaskClient

from messages.message import message
from scoring.games import find as find_game
from scoring.match import begin
from tests.web.tables import app_of
from vision.dicesets.files import DiceSetError
from vision.dicesets.library import load
from vision.dicesets.shapes import Shape
from vision.enrol.problems import Kind, Problem
from web.language import refusal
from words import LANGUAGES
from words.problems import judged, problem
from words.speaker import speaker


@pytest.fixture
def app(data: Path) -> Flask:
    return app_of(begin(find_game("meet-fate"), ["Ann", "Bob"]))


def asking(app: Flask, language: str) -> FlaskClient:
    client = app.test_client()
    client.set_cookie("language", language)
    return client


# --- how a line is said


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Cats.toml: faces: expected a list of d6 and d8, found 1,234,567."),
        ("de", "Cats.toml: faces: erwartet: eine Liste mit W6 und W8; gefunden: 1.234.567."),
        ("fr", "Cats.toml : faces : attendu : une liste de d6 et d8 ; trouvé : 1 234 567."),
    ],
)
def test_a_line_inside_a_line_and_a_long_number(app: Flask, language: str, words: str):
    shapes = message("a list of {shapes:shape and}", shapes=(Shape.CUBE, Shape.OCTAHEDRON))
    line = DiceSetError(
        "{path}: {where}: expected {expected}, found {found}",
        path="cats.toml", where="faces", expected=shapes, found=1234567,
    )  # fmt: skip
    assert str(line) == "cats.toml: faces: expected a list of d6 and d8, found 1,234,567"
    with app.test_request_context(headers={"Cookie": f"language={language}"}):
        assert re.sub(r"\s", " ", refusal(line)) == words


@pytest.mark.parametrize(("language", "figure"), [("en", "8.5"), ("de", "8,5"), ("fr", "8,5")])
def test_figures_have_the_languages_point_and_faces_their_own_names(language: str, figure: str):
    line = message("choose a size from {least} to {most} mm, not {found}", least=8.0, most=50.0, found=8.5)
    assert str(line) == "choose a size from 8 to 50 mm, not 8.5"
    assert figure in speaker(language).clause(line)
    line = message("every face needs a picture; still missing: {missing:called}", missing=("emu", "koala"))
    labels = {"emu": "Heinz", "koala": "Gerda"}
    assert speaker(language, (), labels).clause(line).endswith("Heinz, Gerda")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_problem_has_words(language: str):
    english = {"wide;", "blurred:", "glares;", "outline", "another", "picture", "barely"}
    spoken = speaker(language, (), {"emu": "EMU"})
    for kind in get_args(Kind):
        one = Problem(kind, ("emu", "koala"), 0.25)
        for words in (spoken.say(problem(one)), spoken.say(judged(one))):
            assert "in English" not in words
            assert language == "en" or not english & set(words.split())


@pytest.mark.parametrize("text", ["a = ", "a = [", "\x00"])
def test_what_a_parser_says_of_a_broken_set_is_quoted(app: Flask, tmp_path: Path, text: str):
    home = tmp_path / "mine"
    home.mkdir()
    (home / "set.toml").write_text(text, encoding="utf-8")
    with pytest.raises(DiceSetError, match=r"is not valid TOML: ") as refused:
        load(home)
    why = str(dict(refused.value.message.values)["why"])
    with app.test_request_context(headers={"Cookie": "language=de"}):
        assert refusal(refused.value).endswith(f"{why}.")


# --- what the pages answer


def pack(**files: bytes) -> io.BytesIO:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    packed.seek(0)
    return packed


def imported(client: FlaskClient, content: bytes) -> Any:
    return client.post("/dice/import", data={"pack": (io.BytesIO(content), "x.tableside-set")})


TEACH = {"X-Requested-With": "tableside"}

REFUSED: list[tuple[Callable[[FlaskClient], Any], str, str]] = [
    (lambda c: imported(c, b"nothing"), "Die Datei ist kein vollständiges Würfelset", "pas un set de dés complet"),
    (lambda c: imported(c, pack().getvalue()), "set.toml fehlt", "il manque set.toml"),
    (lambda c: imported(c, pack(evil__sh=b"rm").getvalue()), "nicht „evil.sh“", "pas « evil.sh »"),
    (lambda c: imported(c, pack(set__toml=b"id = ").getvalue()), "Invalid value", "Invalid value"),
    (lambda c: imported(c, pack(set__toml=b"title = {}").getvalue()), "gefunden: nichts", "trouvé : rien"),
    (
        lambda c: c.post("/dice/fate/rename", data={"title": "Mine"}),
        "gehört zu Tableside und lässt sich nicht ändern", "et ne peut pas être modifié",
    ),
    (lambda c: c.post("/dice/fate/delete"), "Meet Fate: Ziffern gehört zu", "Meet Fate"),
    (lambda c: c.get("/dice/fate/stickers.pdf?size=0.5"), "von 8 bis 50 mm, nicht 0,5", "de 8 à 50 mm, pas 0,5"),
    (lambda c: c.get("/dice/fate/stickers.pdf?dice=0"), "1 bis 200 Würfel", "de 1 à 200"),
    (lambda c: c.get("/dice/fate/stickers.pdf?paper=b5"), "A4 oder Letter", "A4 ou Letter"),
    (lambda c: c.post("/dice/fate/teach", headers=TEACH), "gehört zu Tableside", "est fourni avec Tableside"),
    (lambda c: c.post("/dice/teach/finish", headers=TEACH), "fang zuerst ein neues Set an", "commencez d’abord"),
]  # fmt: skip


def test_a_refusal_is_in_the_devices_language(app: Flask):
    for ask, *words in REFUSED:
        for language, said in zip(("de", "fr"), words, strict=True):
            answer = ask(asking(app, language))
            assert answer.status_code in (409, 503), said
            assert said in re.sub(r"\s", " ", answer.get_data(as_text=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "words"), [("de", "jede seite braucht ein foto"), ("fr", "il faut une photo de chaque face")]
)
def test_what_is_missing_is_named_by_its_label(app: Flask, language: str, words: str):
    client = asking(app, language)
    assert client.post("/dice/teach/begin", headers=TEACH).status_code == 204
    unnamed = client.post("/dice/teach/name", data={"face": ""}, headers=TEACH).get_data(as_text=True)
    assert {"de": "gib einen namen", "fr": "saisissez un nom"}[language] in unnamed.casefold()
    for face in ("Großer Emu", "Koala"):
        client.post("/dice/teach/name", data={"face": face}, headers=TEACH)
    saved = {"title": "Zoo", "shape": Shape.CUBE}
    assert client.post("/dice/teach/finish", data={"title": "Zoo"}, headers=TEACH).status_code == 409
    said = client.post("/dice/teach/finish", data=saved, headers=TEACH).get_data(as_text=True)
    assert words in said.casefold()
    assert "Großer Emu, Koala" in said
    torn = client.post(
        "/dice/teach/pictures",
        data={"picture": (io.BytesIO(b"\xff\xd8\xff\xe0" + b"x" * 400), "Emu.jpg")}, headers=TEACH,
    )  # fmt: skip
    assert torn.get_data(as_text=True).startswith("Emu.jpg")
    assert "expected" not in torn.get_data(as_text=True)


@pytest.mark.parametrize(
    ("language", "words"), [("de", "kein gültiges JSON: Expecting value"), ("fr", "JSON")]
)
def test_a_broken_set_of_ones_own_is_named_on_the_page_of_all(
    app: Flask, tmp_path: Path, language: str, words: str
):
    home = tmp_path / "dicesets" / "mine"
    home.mkdir(parents=True)
    toml = 'id = "mine"\nshapes = ["d6"]\n[[faces]]\nid = "a"\n[[faces]]\nid = "b"\n'
    (home / "set.toml").write_text(toml, encoding="utf-8")
    (home / "examples.json").write_text("", encoding="utf-8")
    assert words in asking(app, language).get("/dice").get_data(as_text=True)
    (home / "examples.json").write_text(json.dumps({"version": 1}), encoding="utf-8")
    assert "expected" not in asking(app, language).get("/dice").get_data(as_text=True)
