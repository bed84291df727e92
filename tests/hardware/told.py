"""Notices as devices get them, for their tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hardware.public_state import PublicDie, PublicEvent, PublicNotice, PublicPlayer, PublicState, player_id


def state(number: int, *names: str, sentence: str = "Ann, throw the dice.", **changed: Any) -> PublicState:
    """A table at which these sit, the first with 0 points, the second with 7, …; the first is on turn."""
    players = tuple(
        PublicPlayer(player_id(name), name, 7 * place, place == 0, place == len(names) - 1, False)
        for place, name in enumerate(names)
    )
    dice = (PublicDie("two-cats", "two cats", True, True), PublicDie("sigil", "sigil", False, True))
    made = PublicState(
        number, "one", "Triples", "triples", names[0], names[-1], players, dice, 1, 3, None, sentence, sentence,
        "", "", False, "",
    )  # fmt: skip
    return replace(made, **changed)


def notice(number: int, *names: str, events: tuple[PublicEvent, ...] = (), **how: Any) -> PublicNotice:
    """The same as a notice; by default Ann and Bob sit there."""
    made = state(number, *(names or ("Ann", "Bob")), **how)
    return PublicNotice(number, made.sentence, events, made)


def turn(number: int, seat: int, **how: Any) -> PublicNotice:
    """It is the turn of who sits there."""
    made = notice(number, **how)
    players = tuple(replace(one, on_turn=place == seat) for place, one in enumerate(made.state.players))
    return replace(made, state=replace(made.state, players=players, turn=players[seat].name))


def won(number: int, seat: int) -> PublicNotice:
    """Who sits there has won."""
    made = notice(number, sentence="Match over.")
    players = tuple(replace(one, on_turn=False, won=place == seat) for place, one in enumerate(made.state.players))
    name = players[seat].name
    over = replace(made.state, players=players, turn="", over=f"The match is over. {name} won.")
    return replace(made, state=over, events=(PublicEvent("win", name),))
