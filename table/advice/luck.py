"""Luck told apart from skill, for each player of a match.

Every throw moves what a player may expect: **luck** is how far, given what had been chosen before it. Every choice
may give something away: that is what is **lost** against the best choice. In Meet Fate the two account for everything:
a full sheet's points are what a sheet is worth, plus the luck, less what was lost.

In a game of two to a target the unit is the chance to win; elsewhere it is points. Outlander's cards are not looked
at, only its dice. What others throw is nobody's luck here but theirs, except where two share one chance to win.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.actions import Play
from scoring.match import Match
from table import words
from table.advice.fate import FateAdviser
from table.advice.fate_luck import fate_moments
from table.advice.luck_games import LOOKS, Moment, is_race_of_two, races
from table.advice.record import NoAdviceError
from table.advice.spoken import amount, percent


@dataclass(frozen=True, slots=True)
class Account:
    """One player's evening: the sums of luck and of what was lost, and the moments they came from."""

    player: str
    luck: float
    lost: float
    moments: tuple[Moment, ...]


@dataclass(frozen=True, slots=True)
class Luck:
    """A match looked back on, in `unit`; `sentence` and `why` say it, `assumes` what it rests on."""

    unit: str
    accounts: tuple[Account, ...]
    assumes: str
    sentence: str
    why: str


def look_back(match: Match, fate: FateAdviser | None = None) -> Luck:
    """Luck and losses of a match so far; Meet Fate needs the adviser of its house rules.

    Raises NoAdviceError for a game in which they cannot be told apart.
    """
    game, unit, assumes = match.header.game, "points", "even dice"
    if game == "meet-fate":
        if fate is None:
            raise NoAdviceError(
                "Meet Fate's luck needs its solved sheet: `tableside advise meet-fate --solve`"
            )
        moments = [Moment(*one) for one in fate_moments(match, fate)]
    elif game in ("called-shot", "triples") and is_race_of_two(match):
        moments, unit = list(races(match)), "chance to win"
    elif game in LOOKS:
        moments = list(LOOKS[game](match))
        assumes = "even dice; cards are not looked at" if game == "outlander" else assumes
    else:
        raise NoAdviceError(
            f"{game}: luck and skill cannot be told apart without guessing what a placement is worth"
        )
    accounts = tuple(_account(name, i, moments) for i, name in enumerate(match.header.players))
    return Luck(unit, accounts, assumes, *_said(accounts, unit))


@dataclass(frozen=True, slots=True)
class Total:
    """One player's luck and losses over several matches, in one unit."""

    player: str
    unit: str
    matches: int
    luck: float
    lost: float


def evening(looked: Iterable[Luck]) -> tuple[Total, ...]:
    """Several matches together: luck and losses by player and unit, which are never added up across units."""
    found: dict[tuple[str, str], list[Account]] = {}
    for one in looked:
        for account in one.accounts:
            found.setdefault((account.player, one.unit), []).append(account)
    return tuple(
        Total(player, unit, len(all_of), sum(one.luck for one in all_of), sum(one.lost for one in all_of))
        for (player, unit), all_of in found.items()
    )


def last_turn(match: Match, player: int, fate: FateAdviser | None = None) -> str:
    """How good a player's choices of the last finished or running turn were, in a sentence. Raises NoAdviceError."""
    looked = look_back(match, fate)
    own = looked.accounts[player].moments
    begins = max((i for i, one in enumerate(own) if one.first), default=0)
    lost = [one for one in own[begins:] if one.better]
    if not lost:
        return "Perfectly played."
    total = _of(sum(one.lost for one in lost), looked.unit)
    told = "; ".join(f"{one.did} lost {_of(one.lost, looked.unit)}, better: {one.better}" for one in lost)
    return words.sentence(f"this turn's choices lost {total}: {told}")


def last_player(match: Match) -> int | None:
    """Who decided something last; None where nobody has."""
    return next((one.action.player for one in reversed(match.played) if isinstance(one.action, Play)), None)


def _account(name: str, player: int, moments: list[Moment]) -> Account:
    own = tuple(one for one in moments if one.player == player)
    return Account(name, sum(one.luck for one in own), sum(one.lost for one in own), own)


def _said(accounts: tuple[Account, ...], unit: str) -> tuple[str, str]:
    lucks = [
        f"{one.player} was {'lucky' if one.luck >= 0 else 'unlucky'} by {_of(one.luck, unit)}"
        for one in accounts
    ]
    lost = words.listed([f"{one.player} lost {_of(one.lost, unit)}" for one in accounts])
    return words.sentence(words.listed(lucks)), words.sentence(f"{lost} by choices other than the best")


def _of(value: float, unit: str) -> str:
    return f"{percent(abs(value))} of a win" if unit == "chance to win" else f"{amount(abs(value))} points"
