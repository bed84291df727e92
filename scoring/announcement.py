"""Announces a match's last event as messages, for page, speech and scoreboard alike."""

from __future__ import annotations

from messages.message import Message, message
from scoring.actions import Draw, DrawAwaited, Hold, Move, Play, RollAwaited, Seated
from scoring.codec import plain
from scoring.match import Correction, Match, Undo


def announced(match: Match) -> tuple[Message, ...]:
    """The messages about the last event of a match, in order, ending with what the table waits for."""
    if not match.events:
        return awaiting(match)
    last = match.events[-1]
    if isinstance(last, Undo):
        taken = match.events[last.event - 1]
        if isinstance(taken, Seated):
            said = message(
                "Player change undone. Playing now: {names:listed}.", names=match.header.players
            )
        elif isinstance(taken, Play):
            said = message(
                "Undone: {player:name}’s decision and everything after it.", player=taken.player
            )
        else:
            said = message("Undone from event {event} on.", event=last.event)
        return (said, *awaiting(match))
    if isinstance(last, Correction):
        told = _corrected(match, last)
        same = all(number < last.event for number, _ in match.changes)  # else its players sit elsewhere now
        again = [one.step.facts for one in match.played if one.number == last.event and same]
        return (told, *(again[0] if again else ()), *awaiting(match))
    played = match.played[-1] if match.played else None
    reached = played is not None and played.number == len(match.events)  # a replay may have stopped before it
    facts = played.step.facts if played and reached else ()
    rarest = (match.rarest,) if match.rarest else ()
    return (*rarest, *facts, *awaiting(match))


def _corrected(match: Match, last: Correction) -> Message:
    """What is said of a correction: never which cards went into a hand."""
    first = match.events[last.event - 1]
    if isinstance(first, Draw):
        if not last.showed:
            return message("Corrected: nothing was drawn from the {pile:pile}.", pile=first.pile)
        if match.game.is_secret(first):
            return message("Corrected: what was drawn from the {pile:pile}.", pile=first.pile)
        return message(
            "Corrected: the draw from the {pile:pile} was {showed:faces}.", pile=first.pile, showed=last.showed
        )
    return (
        message("Corrected: the dice showed {showed:faces}.", showed=last.showed)
        if last.showed
        else message("Corrected: that was not a throw.")
    )


def awaiting(match: Match) -> tuple[Message, ...]:
    """What the table waits for, how the match ended, or why it cannot continue."""
    if match.stop:
        return (
            message(
                "After this correction a later move breaks a rule: {reason}. Undo that move, or correct the roll "
                "again.",
                reason=match.stop.rule,
            ),
        )
    outcome = match.outcome
    if outcome:
        best = max(outcome.points[winner] for winner in outcome.winners) if outcome.winners else 0
        return (
            message(
                "The match is over. {winners:names} won with {points:points}: {reason:rule}.",
                winners=outcome.winners,
                points=best,
                reason=outcome.reason,
            ),
        )
    facts: list[Message] = []
    for one in match.awaited:
        if isinstance(one, RollAwaited):
            if one.stake:
                facts.append(
                    message("{player:name}, throw the dice for {stake:rule}.", player=one.player, stake=one.stake)
                )
            elif one.kept:
                facts.append(
                    message(
                        "{player:name}, throw the other {n:number} dice."
                        if one.dice - len(one.kept) > 1
                        else "{player:name}, throw the other die.",
                        player=one.player,
                        n=one.dice - len(one.kept),
                    )
                )
            else:
                facts.append(message("{player:name}, throw the dice.", player=one.player))
        elif isinstance(one, DrawAwaited):
            said = (
                "Draw {count:count tile tiles} from the {pile:pile}."
                if one.tiles
                else "Draw {count:count card cards} from the {pile:pile}."
            )
            facts.append(message(said, count=one.count, pile=one.pile))
        else:
            facts.append(message("{players:names}, {what:rule}.", players=one.players, what=one.what))
    return tuple(facts)


def offered(move: Move) -> Message:
    """A move as a button or a list offers it."""
    if isinstance(move, Hold) and not move.keep:
        return message("throw all dice again")
    return Message(move.words, tuple((name, value) for name, value in plain(move).items() if name != "kind"))
