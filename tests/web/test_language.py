"""The language of each device: chosen, kept, and followed by its open pages."""

from __future__ import annotations

from collections.abc import Callable

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from cli.compose import House
from tests.web.serving import Served
from tests.web.tables import HERE, html_of
from tests.web.visitor import Visitor
from web.language import current, gettext, ngettext
from words import LANGUAGES


def page(client: FlaskClient, accepts: str = "") -> str:
    return client.get("/", headers={"Accept-Language": accepts}).get_data(as_text=True)


def test_the_browser_says_what_its_person_reads(client: FlaskClient):
    for accepts, language in (
        ("", "en"), ("de", "de"), ("de-AT,de;q=0.9,en;q=0.5", "de"), ("fr-CA, en;q=0.3", "fr"),
        ("nl, fr;q=0.4, de;q=0.2", "fr"), ("nl", "en"), ("*", "en"), ("de;q=none", "en"), ("\x80;;,,", "en"),
    ):  # fmt: skip
        assert f'<html lang="{language}">' in page(client, accepts), accepts


def choose(client: FlaskClient, language: str, back: str = "/") -> TestResponse:
    return client.post("/language", data={"language": language, "back": back}, headers={"Origin": HERE})


def test_one_device_leaves_the_others_alone(house: House):
    """What a person chose goes before the browser, for a year, and out of scripts' reach."""
    mine, yours = house.app.test_client(), house.app.test_client()
    answer = choose(mine, "fr", "/history")
    assert (answer.status_code, answer.location) == (303, "/history")
    for kept in ("Max-Age=31536000", "HttpOnly", "SameSite=Lax"):
        assert kept in answer.headers["Set-Cookie"]
    assert '<html lang="fr">' in page(mine, "de")
    assert '<html lang="en">' in page(yours)
    yours.set_cookie("language", "../../secret")
    assert '<html lang="en">' in page(yours)


def test_a_language_there_is_not_is_refused(client: FlaskClient):
    for language in ("", "nl", "en-GB", "../de"):
        assert choose(client, language).status_code == 400


def test_what_is_chosen_wins_over_what_the_address_asked_for(client: FlaskClient):
    assert '<html lang="de">' in html_of(client, "/rules?language=de&x=1")
    answer = choose(client, "fr", "/rules?language=de&x=1")
    assert answer.headers["Location"] == "/rules?x=1"
    assert '<html lang="fr">' in html_of(client, answer.headers["Location"])


def test_the_switch_names_each_language_in_itself(client: FlaskClient):
    html = page(client, "de")
    for code, name in LANGUAGES.items():
        here = ' aria-current="true"' if code == "de" else ""
        assert f'value="{code}" lang="{code}"{here}>{name}</button>' in html


def test_python_words_follow_the_device_and_where_nobody_asks_they_are_english(house: House):
    for language, words in (("de", "Seiten"), ("fr", "Pages"), ("en", "Pages")):
        with house.app.test_request_context("/", headers={"Accept-Language": language}):
            assert gettext("Pages") == words
    assert (current(), gettext("Pages")) == ("en", "Pages")
    assert ngettext("%(num)s thing", "%(num)s things", 1) == "1 thing"


class Reader(Visitor):
    """Reads in some language."""

    @property
    def language(self) -> str:
        return self.page.evaluate("document.documentElement.lang")

    def becomes(self, language: str) -> None:
        # While a page is being replaced, its document is empty for a moment.
        self.page.wait_for_function("code => document.documentElement?.lang === code", arg=language)

    def picks(self, language: str) -> None:
        self.page.click(f".languages button[value={language}]")
        self.becomes(language)


def test_open_pages_follow_the_devices_language(serve: Callable[..., Served], visit: Callable[..., Reader]):
    served = serve()
    table = visit(served, kind=Reader, locale="en-GB")
    television, dice = table.beside("/television"), table.beside("/dice")
    other = visit(served, kind=Reader, locale="en-GB")
    dice.picks("de")
    for page in (table, television):
        page.becomes("de")
    assert table.page.get_by_role("link", name="Würfel", exact=True).count() == 1
    table.picks("fr")
    for page in (television, dice):
        page.becomes("fr")
    assert other.language == "en"  # another device has its own


def test_what_is_being_typed_is_not_lost(serve: Callable[..., Served], visit: Callable[..., Reader]):
    teach = visit(serve(), "/dice/teach", kind=Reader, locale="en-GB")
    teach.page.click("#start")
    teach.page.click("#more > summary")
    teach.page.fill("#new-face", "Emu")
    teach.beside("/dice").picks("de")
    teach.page.wait_for_timeout(300)
    assert teach.language == "en"
    assert teach.page.input_value("#new-face") == "Emu"
    teach.page.fill("#new-face", "")
    teach.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # looked at again
    teach.becomes("de")


def test_a_page_out_of_the_browsers_memory_follows(serve: Callable[..., Served], visit: Callable[..., Reader]):
    alice = visit(serve(), "/dice", kind=Reader, locale="en-GB").open("/history")
    alice.picks("de")
    alice.open("/dice").becomes("de")
    alice.page.go_back()
    alice.becomes("de")


def test_the_answer_to_a_form_is_not_asked_for_again(house: House):
    client = house.app.test_client()
    assert "language.js" in client.get("/new").get_data(as_text=True)
    refused = client.post("/new", data={"game": "meet-fate", "players": ""})
    assert "language.js" not in refused.get_data(as_text=True)
