"""How messages are said: exact sentences in each language, and whole matches in which nothing stays English."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from messages.message import ENGLISH, HAND_OF, Message, MessageError, message
from scoring.actions import Declare, DrawAwaited, Fill, Hold, MoveAwaited, Play, Roll
from scoring.announcement import announced, offered
from scoring.anyplay import any_action
from scoring.games import available, find, ids
from scoring.games.destiny.cards import CHARACTERS
from scoring.match import begin
from scoring.standing import standing
from tests.saying import sentences
from vision.reading import UNKNOWN
from words import LANGUAGES
from words.speaker import Speaker, meant, speaker

ANN_BOB = ("Ann", "Bob")
OTHERS = [speaker(code) for code in LANGUAGES if code != "en"]
every_other = pytest.mark.parametrize("spoken", OTHERS, ids=lambda one: one.code)


@pytest.mark.parametrize(
    ("template", "values", "said"),
    [
        ("{n:points}", {"n": 1}, "1 point"),
        ("{n:points}", {"n": -1}, "−1 point"),
        ("{n:count box boxes}", {"n": 0}, "0 boxes"),
        ("{n:signed}", {"n": 3}, "+3"),
        ("{n:signed}", {"n": -3}, "−3"),
        ("{n:nth}", {"n": 2}, "Second"),
        ("{n}", {"n": -3}, "−3"),
        ("{who:names}", {"who": (0, 1)}, "Ann and Bob"),
        ("{f:faces}", {"f": ()}, "Nothing"),
        ("{f:faces}", {"f": ("cat",)}, "Cat"),
        ("{f:tally}", {"f": ("jamie", "bjr", "jamie")}, "2 Jamie and 1 BJR"),
        ("{f:roll}", {"f": ("2", "2", "4", "5", "7", "8")}, "Two 2s, a 4, a 5, a 7 and an 8"),
        ("{f:roll}", {"f": ("8",) * 6}, "Six 8s"),
        ("{f:roll}", {"f": ("sigil", "dd", "sigil")}, "Sigil twice and DD"),
        ("{f:roll}", {"f": ("cat",) * 3}, "Cat three times"),
    ],
)
def test_values_are_spoken(template: str, values: dict[str, Any], said: str):
    assert speaker("en", ANN_BOB).say(message(template, **values)) == said


def test_an_unknown_way_of_saying_a_value_is_a_fault():
    with pytest.raises(AssertionError, match="sideways"):
        speaker().clause(message("{n:sideways}", n=1))


def test_every_language_has_who_speaks_it():
    assert [speaker(code).code for code in LANGUAGES] == list(LANGUAGES)


def test_english_numbers():
    assert [ENGLISH.nth(n) for n in (1, 10, 11, 12, 13, 21, 22, 23, 101, 112)] == (
        ["first", "tenth", "11th", "12th", "13th", "21st", "22nd", "23rd", "101st", "112th"]
    )
    assert ENGLISH.counted(2, "tile", "tiles") == "2 tiles"


def test_lists_and_places():
    german, french = speaker("de"), speaker("fr")
    assert german.listed(["eins", "zwei", "drei"]) == "eins, zwei und drei"
    assert french.listed(["un", "deux"]) == "un et deux"
    assert (german.nth(3), french.nth(1), french.nth(3)) == ("3.", "1re", "3e")


def test_names_with_braces_are_only_names():
    said = message("{player:name} declares {text}.", player=0, text="{0} {x!r}")
    assert speaker("en", ("{player.__class__}",)).say(said) == "{player.__class__} declares {0} {x!r}."


def test_clauses_become_one_announcement():
    said = ENGLISH.sentence(["die 3 is an 8", "", message("{who}, throw.", who="Alice"), "really?"])
    assert said == "Die 3 is an 8. Alice, throw. Really?"


def test_an_error_is_a_message():
    refused = MessageError("choose a die from 1 to {n}, not {number}", n=6, number=9)
    assert str(refused) == "choose a die from 1 to 6, not 9"
    assert speaker("de").sentence([refused.message]) == "Wähle einen Würfel von 1 bis 6, nicht 9."


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (message("{n:points}", n=0), ("0 points.", "0 Punkte.", "0 point.")),
        (message("{n:points}", n=1), ("1 point.", "1 Punkt.", "1 point.")),
        (message("{n:points}", n=-1), ("−1 point.", "−1 Punkt.", "−1 point.")),
        (message("{n:points}", n=2), ("2 points.", "2 Punkte.", "2 points.")),
        (message("what does die {n} show?", n=2),
            ("What does die 2 show?", "Was zeigt Würfel 2?", "Que montre le dé 2\u202f?")),
        (message("it could be {faces:maybe}", faces=("emu", "koala")),
            ("It could be emu or koala.", "Es könnte Emu oder Koala sein.", "Ce pourrait être émeu ou koala.")),
        (message("I see {seen:dice}, but the game needs {due:number}", seen=5, due=6),
            ("I see five dice, but the game needs six.",
             "Ich sehe 5 Würfel, gebraucht werden 6.",
             "Je vois cinq dés, mais il en faut six.")),
        (message("{got:quoted}", got="hi\x1b"), ("“hi�”.", "„hi�“.", "«\u202fhi�\u202f».")),
        (message("{p:percent}", p=0.625), ("62.5\u00a0%.", "62,5\u00a0%.", "62,5\u00a0%.")),
        (message("{n:amount}", n=1.5), ("1.5.", "1,5.", "1,5.")),
        (find("outlander").score(("dougal", "dougal", "geillis", "geillis", "bjr", "bjr")).breakdown[0].reason,
            ("2 pairs of Dougal and Geillis at +3.", "2 Paare aus Dougal und Geillis, je +3.",
             "2 paires Dougal et Geillis à +3.")),
    ],
    ids=lambda one: getattr(one, "template", None),
)  # fmt: skip
def test_the_same_in_three_languages(asked: Message, said: tuple[str, ...]):
    assert tuple(speaker(code).sentence([asked]) for code in LANGUAGES) == said


def test_a_throw_in_words():
    said = ("Two 2s, a 4, an 8 and something else.", "Zweimal 2, eine 4, eine 8 und etwas anderes.",
            "Deux 2, un 4, un 8 et autre chose.")  # fmt: skip
    for code, words in zip(LANGUAGES, said, strict=True):
        labels = {UNKNOWN: speaker(code).words("something else")}
        assert speaker(code, (), labels).throw(("2", "4", "8", "2", UNKNOWN)) == words


# --- ids


SAME = {"dd", "thoromyr", "claire", "jamie", "bjr", "laoghaire", "dougal", "geillis", "jenny", "murtagh"}
"""Names that are the same everywhere; numerals are, too."""


@every_other
def test_every_id_and_every_power_has_a_name(spoken: Speaker):
    known = {one for one in ids() if one not in SAME and not one.isdecimal()}
    assert known <= spoken.catalogue.names.keys()
    assert not [one for one in known if "-" in one and spoken.name(one) == one.replace("-", " ")]
    assert set(CHARACTERS.values()) <= spoken.catalogue.said.keys()


@every_other
def test_no_two_ids_of_a_game_have_one_name(spoken: Speaker):
    for game in available():
        for group in (game.dice.faces, game.declarations, game.scored_cards):
            names = [spoken.name(one).casefold() for one in group]
            assert len(set(names)) == len(names)
            assert [meant(spoken.name(one), group) for one in group] == list(group)


# --- matches


def called_shot():
    match = begin(find("called-shot"), ANN_BOB)
    return match.add(Play(0, Declare("no-cats"))).add(Roll(("dd", "dd", "cat")))


SAID = {
    "en": "Ann rolled DD, DD and cat. No cats: a pair fits. Ann scores 1 point, 1 in all. Bob, "
          "make your call.",
    "de": "Ann hat gewürfelt: DD, DD und Katze. Keine Katzen: ein Pasch passt. "
    "Ann bekommt 1 Punkt, 1 insgesamt. Bob, mach deine Ansage.",
    "fr": "Ann a lancé DD, DD et chat. Aucun chat\u202f: un double convient. "
    "Ann marque 1 point, 1 en tout. Bob\u202f: faites votre annonce.",
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_is_said_after_a_roll(code: str):
    assert " ".join(sentences(called_shot(), code)) == SAID[code]


def test_a_correction_is_said_with_what_follows_from_it():
    match = called_shot().correct(2, ("dd", "sigil", "thoromyr"))
    assert sentences(match)[0] == "Corrected: the dice showed DD, sigil and Thoromyr."
    assert "Ann scores 25 points, 25 in all." in sentences(match)


def test_an_undo_says_whose_decision_it_was():
    assert sentences(called_shot().undo()) == (
        "Undone: Ann’s decision and everything after it.",
        "Ann, make your call.",
    )


def test_the_beginning_and_the_standing():
    match = begin(find("triples"), ANN_BOB)
    assert sentences(match) == ("Ann, throw the dice.",)
    assert sentences(match, "de") == ("Ann, würfle.",)
    match = match.add(Roll(("cat", "cat", "dd"))).add(Roll(("cat", "cat", "cat")))
    said = {code: [speaker(code, ANN_BOB).say(one) for one in standing(match).spoken] for code in LANGUAGES}
    assert said["en"] == ["Bob, first, 6 points.", "Ann, second, 2 points."]
    assert said["de"][1] == "Ann, Platz 2, 2 Punkte."
    assert said["fr"][1] == "Ann, 2e place, 2 points."


def test_a_shared_win_names_everyone():
    match = begin(find("everyone-scores"), ANN_BOB, {"target": 1})
    for _ in ANN_BOB:
        match = match.add(Roll(("cat", "cat", "dd", "sigil", "manticore")))
    said = speaker("en", ANN_BOB).say(announced(match)[-1])
    assert said.startswith("The match is over. Ann and Bob won with 1 point:")


def test_moves_are_offered_in_words():
    spoken = speaker("en", ANN_BOB)
    assert spoken.say(offered(Hold(("7", "7")))) == "Hold 7 and 7, throw the others"
    assert spoken.say(offered(Fill("full-house"))) == "Fill full house"
    assert spoken.say(offered(Hold(()))) == "Throw all dice again"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", [game.id for game in available()])
def test_whole_matches_are_said_and_nothing_stays_english(game: str, seed: int):
    rng = random.Random(f"{game}/{seed}")
    rules = find(game)
    low, high = rules.seats
    options = {
        option.key: rng.choice(option.values) if option.values else rng.random() < 0.5
        for option in rules.options
        if option.values or isinstance(option.default, bool)
    }
    match = begin(rules, [f"P{i}" for i in range(rng.randint(low, min(high, 3)))], options)
    speakers = [one.among(match.header.players) for one in OTHERS]

    def known(said: Message) -> bool:
        return all(said.template in one.catalogue.said for one in speakers)

    for _ in range(250):
        if match.outcome:
            break
        for one in rules.awaits(match.state):
            if isinstance(one, MoveAwaited):
                assert known(one.what if isinstance(one.what, Message) else Message(one.what))
            elif isinstance(one, DrawAwaited):
                assert one.pile.startswith(HAND_OF) or known(Message(one.pile))
        match = match.add(any_action(rules, match.state, rng.randrange))
        last = match.played[-1]
        told = [*announced(match), *(line.reason for one in last.step.scores for line in one.breakdown)]
        if isinstance(last.action, Play):
            told.append(offered(last.action.move))
        for one in told:
            assert known(one) or not re.search(r"[^\W\d_]", re.sub(r"\{[^}]*\}", "", one.template)), one
            assert all(spoken.say(one) for spoken in speakers)
    if match.outcome:
        assert known(Message(match.outcome.reason))
