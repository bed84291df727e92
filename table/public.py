"""Makes the public state of a table from its notices, for devices and other programs (`hardware.public_state`).

It contains only what public pages show: a hand that one player may see is not part of a snapshot's view.
"""

from __future__ import annotations

from hardware.public_state import PublicDie, PublicEvent, PublicNotice, PublicPlayer, PublicState, player_id
from scoring.actions import Roll
from scoring.view import leading
from table.snapshot import Notice, Snapshot


def public_state(snapshot: Snapshot, number: int, sentence: str, language: str) -> PublicState:
    """A snapshot in a language, with the number of the last notice and the last spoken sentence."""
    speaker, match, seats = snapshot.speaker(language), snapshot.match, snapshot.seats
    ahead = frozenset[int]()
    if match.outcome is None:
        ahead = leading([seat.score for seat in seats], lowest=match.game.lowest_wins)
    players = tuple(
        PublicPlayer(
            player_id(seat.name), seat.name, seat.score, seat.on_turn, place in ahead, place in snapshot.winners
        )
        for place, seat in enumerate(seats)
    )  # fmt: skip
    dice = tuple(PublicDie(die.face, speaker.name(die.face), die.held, die.certain) for die in snapshot.dice)
    return PublicState(
        number=number,
        match=snapshot.match_id,
        game=snapshot.title,
        game_id=match.game.id,
        turn=snapshot.on_turn,
        leader=speaker.listed([one.name for one in players if one.leads]) if ahead else "",
        players=players,
        dice=dice,
        throw=snapshot.throw_number,
        throws=snapshot.throws[1],
        points=next(iter(match.last_points.values()), None),
        sentence=sentence,
        prompt=speaker.sentence(snapshot.prompt) if match.outcome is None else "",
        question=speaker.sentence(snapshot.question),
        camera=speaker.sentence(snapshot.camera),
        paused=snapshot.paused,
        over=speaker.sentence(snapshot.over),
    )


def public_events(before: Snapshot | None, snapshot: Snapshot, language: str) -> tuple[PublicEvent, ...]:
    """The events between two snapshots of one match; none if it is another match, or `before` is unknown.

    A correction or an undo is not a throw, and points that are scored again after it are not news.
    """
    if before is None or before.match_id != snapshot.match_id:
        return ()
    match, speaker = snapshot.match, snapshot.speaker(language)
    events: list[PublicEvent] = []
    for played in match.played:
        if played.number <= len(before.match.events):
            continue
        if isinstance(played.action, Roll):
            faces = tuple(speaker.name(face) for face in played.action.faces)
            events.append(PublicEvent("throw", faces=faces))
        for score in played.step.scores:
            seat = match.seat_now(played.number, score.player)
            if seat is not None:
                events.append(PublicEvent("points", match.header.players[seat], score.points))
    if snapshot.winners and not before.winners:
        events.append(PublicEvent("win", speaker.listed([match.header.players[one] for one in snapshot.winners])))
    return tuple(events)


class PublicNotices:
    """Makes successive notices public; the last sentence stays until the next one is spoken."""

    def __init__(self) -> None:
        """Start before the first notice."""
        self._before: Snapshot | None = None
        self._sentence = ""

    def skip(self, notice: Notice, language: str) -> None:
        """Take a notice that other outputs have already had."""
        self._before = notice.snapshot
        self._sentence = notice.sentence(language) or self._sentence

    def follow(self, notice: Notice, language: str = "") -> PublicNotice:
        """The public state after the next notice, by default in the table's language."""
        language = language or notice.language
        events = public_events(self._before, notice.snapshot, language)
        self.skip(notice, language)
        state = public_state(notice.snapshot, notice.number, self._sentence, language)
        return PublicNotice(notice.number, notice.sentence(language), events, state)
