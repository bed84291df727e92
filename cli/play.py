"""`tableside play GAME --players A,B`: a whole match in the terminal, with typed rolls or drawn ones."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path
from typing import TextIO

import click

from cli.answers import answered
from cli.sheets import drawn, notes, options_told, panel_lines
from cli.typed import language_option, pairs, typed_faces, typed_move, words
from messages.message import N_, Message, MessageError, message
from scoring.actions import (
    Action,
    Awaited,
    Draw,
    DrawAwaited,
    Family,
    Hold,
    IllegalMoveError,
    Move,
    MoveAwaited,
    Play,
    Roll,
    RollAwaited,
)
from scoring.announcement import announced, awaiting
from scoring.announcement import offered as offering
from scoring.anyplay import any_action, any_chance
from scoring.codec import plain
from scoring.dice import spelled
from scoring.games import find, ids
from scoring.logfile import event_line, header_line
from scoring.match import Match, begin
from scoring.otherwise import allowing
from scoring.standing import standing
from words.rules import title
from words.speaker import Speaker, meant, speaker

HELP = """\
A roll: the faces as they lie, or only those thrown again; an empty line throws for you.
Cards or tiles drawn: their names, parted by commas; an empty line draws for you.
A decision: its number in the list, its words, its kind and what it needs (place koala 4c; steal Bob), or for
kept dice: keep 7 7. Where several may decide, say who: Bob: done.
Also: undo, correct FACES (of the last roll or draw), correct N: FACES (of event N), state, list, help, quit."""

KEEP = N_("keep FACES: hold these dice and throw the others (keep alone: throw all)")
KEEP_SOME = N_("keep FACES: hold at least {n} dice and throw the others")

LONGEST_LINE = 4000
"""Characters of a line that somebody types."""

MOST_LISTED = 40
"""Moves shown at once; the others can still be typed."""


@click.command("play")
@click.argument("game")
@click.option("--players", required=True, metavar="A,B", help="The players' names, in turn order.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; see `games`.")
@click.option("--log", type=click.Path(path_type=Path), help="Record the match in this new file.")
@click.option("--throw", is_flag=True, help="Throw the dice and draw the cards without asking.")
@click.option("--auto", is_flag=True, help="Also decide at random: the match plays itself.")
@click.option("--seed", type=int, help="Make random throws and draws repeatable.")
@click.option("--ask", is_flag=True, help="Ask again what is printed on your sheets and boards, and save it.")
@language_option
def command(
    game: str,
    players: str,
    options: tuple[str, ...],
    log: Path | None,
    throw: bool,
    auto: bool,
    seed: int | None,
    ask: bool,
    lang: str,
) -> None:
    """Play GAME to its end."""
    names = [name for name in players.split(",") if name.strip()]
    rules, chosen = find(game), pairs(options, "--option")
    begin(rules, names, chosen)  # says what is wrong before anything is asked
    if ask or (sys.stdin.isatty() and not auto):
        chosen = answered(rules, chosen, anew=ask)
    match = begin(rules, names, chosen)
    file = log.open("x", encoding="utf-8") if log else None
    try:
        TerminalTable(match, random.Random(seed), file, throw or auto, auto, lang).play()
    finally:
        if file:
            file.close()


class TerminalTable:
    """One terminal, one match."""

    def __init__(
        self,
        match: Match,
        rng: random.Random,
        log: TextIO | None,
        throw: bool,
        auto: bool,
        language: str = "en",
    ) -> None:
        """`log` gets a line for every event, on disk before anyone is told."""
        self.match, self.rng, self.log, self.throw, self.auto = match, rng, log, throw, auto
        self.language = language
        self.listed: Match | None = None
        self.secret = False
        self._write(header_line(match.header))

    def play(self) -> None:
        """Name the options, ask until the match is over or the people leave, and say how it stands."""
        self._options()
        for note in notes(self.match.view, self.language):
            click.echo(note)
        self._say(awaiting(self.match))
        while not self.match.outcome:
            try:
                after = self._next()
            except ValueError as refused:
                why = refused.message if isinstance(refused, MessageError) else str(refused)
                where = refused.where if isinstance(refused, IllegalMoveError) else ""
                rule = title(self.match.game, where, self.language)
                why = message("{why} ({rule})", why=why, rule=rule) if rule else why
                tried = refused.tried if isinstance(refused, IllegalMoveError) else None
                others = allowing(*tried) if tried else ()
                self._say((message("No: {why}.", why=why), *(one.said for one in others)))
                continue
            if after is None:
                return
            if after is not self.match:
                self._take(after)
        self._say(standing(self.match).spoken)
        self._options()

    def _options(self) -> None:
        """What is played, with every option: said at the start and with the outcome."""
        click.echo(f"{self.match.game.title}: {options_told(self.match.header.options)}")

    def _say(self, facts: tuple[Message, ...]) -> None:
        for one in facts:
            click.echo(self._speaker().say(one))

    def _next(self) -> Match | None:
        """The match after one more line of input; the same match for a question, None to leave."""
        match = self.match
        awaited = match.awaited
        chance = next((one for one in awaited if not isinstance(one, MoveAwaited)), None)
        if self.throw and chance and not _may_decide(awaited):
            return match.add(any_chance(chance, self.rng.randrange))
        if self.auto and awaited:
            return match.add(any_action(match.game, match.state, self.rng.randrange))
        if _may_decide(awaited) and self.listed is not match:
            secret = secret_of(match, awaited)
            if len(secret) == 1:
                hand_over(match, secret[0], self.language)
            self._list()
            self.listed, self.secret = match, bool(secret)
        line = self._line()
        if line is None:
            return None
        return self._understood(line.strip(), awaited, chance)

    def _understood(self, text: str, awaited: tuple[Awaited, ...], chance: Awaited | None) -> Match | None:
        if len(text) > LONGEST_LINE:
            raise MessageError("type at most {most} characters, not {n}", most=LONGEST_LINE, n=len(text))
        match, (word, _, rest) = self.match, text.partition(" ")
        word = word.casefold()
        if word in ("quit", "exit"):
            return None
        if word == "help":
            click.echo(HELP)
        elif word == "state":
            click.echo(drawn(match.view, self.language))
            self._say((*standing(match).spoken, *awaiting(match)))
        elif word == "list":
            self._list(everything=True)
        elif word == "undo":
            return match.undo(int(rest)) if rest.isdecimal() and len(rest) < 9 else match.undo()
        elif word == "correct":
            return self._corrected(rest)
        elif match.stop:
            raise MessageError(match.stop.message)
        elif decided := self._decided(text, awaited, bool(chance)) if text else None:
            return match.add(decided)
        elif chance is not None:
            return match.add(self._told(text, chance))
        return match

    def _corrected(self, text: str) -> Match:
        """What the last roll or draw, or the one with a number, really showed."""
        match = self.match
        head, colon, rest = text.partition(":")
        told = [one for one in match.played if not isinstance(one.action, Play)]
        if colon and head.strip().isdecimal() and len(head) < 9:
            number, text = int(head), rest
        elif told:
            number = told[-1].number
        else:
            raise MessageError("no roll has been made yet")
        first = match.events[number - 1] if 0 < number <= len(match.events) else None
        if isinstance(first, Draw):
            return match.correct(number, [meant(word, ids()) or word.strip() for word in words(text)])
        return match.correct(number, typed_faces(match.game, text) if text.strip() else ())

    def _told(self, text: str, chance: Awaited) -> Action:
        """What the dice or the cards showed; nothing typed is drawn at random."""
        if not text:
            return any_chance(chance, self.rng.randrange)
        if isinstance(chance, DrawAwaited):
            return Draw(chance.pile, tuple(meant(word, chance.among) or word for word in words(text)))
        faces = typed_faces(self.match.game, text)
        assert isinstance(chance, RollAwaited)
        if chance.kept and len(faces) == chance.dice - len(chance.kept):
            faces = (*chance.kept, *faces)
        return Roll(faces)

    def _decided(self, text: str, awaited: tuple[Awaited, ...], chance: bool) -> Action | None:
        """A move by its number in the list, its words, its kept dice, its kind and fields, or as JSON.

        None if it may be a roll instead, or if nobody must decide.
        """
        asked = [player for one in awaited if isinstance(one, MoveAwaited) for player in one.players]
        if not asked:
            return None
        offered = self._offered()
        players, player = self.match.header.players, asked[0]
        name, colon, rest = text.partition(":")
        if colon and (meant := self._among(offered, text)):
            return meant  # an offer that begins with a name, and nobody who speaks
        named = [i for i, known in enumerate(players) if spelled(known) == spelled(name)]
        if colon and named:
            player, text = named[0], rest.strip()
            offered = [one for one in offered if one[0] == player]
        if not chance and text.isdecimal() and 1 <= int(text[:9]) <= len(offered):
            return Play(*offered[int(text[:9]) - 1])
        word, _, rest = text.partition(" ")
        if word.casefold() in ("keep", "hold"):
            return Play(player, Hold(typed_faces(self.match.game, rest) if rest.strip() else ()))
        if meant := self._among(offered, text):
            return meant
        if move := typed_move(self.match.game, players, text):
            return Play(player, move)
        if chance:
            return None
        raise MessageError(
            "{got:quoted} is not a move: type “list” to see the moves, or “correct FACES” to correct the roll"
            if self.match.last_roll()
            else "{got:quoted} is not a move: type “list” to see the moves",
            got=text[:40],
        )

    def _among(self, offered: list[tuple[int, Move]], text: str) -> Play | None:
        """The move that these words are offered for: as written, or by their letters where these fit one move only."""
        players = self.match.header.players
        alike: list[Play] = []
        for who, move in offered:
            bare = " ".join(str(getattr(move, name)) for name in plain(move) if name != "kind")
            names = (
                self._words(move),
                speaker("en", players).say(offering(move)),
                f"{move.kind} {bare}",
                bare,
            )
            if _written(text) in map(_written, names):
                return Play(who, move)
            if spelled(text) and spelled(text) in map(spelled, names):
                alike.append(Play(who, move))
        return alike[0] if len({one.move for one in alike}) == 1 else None

    def _offered(self) -> list[tuple[int, Move]]:
        """Every legal move that can be listed, with who may make it."""
        match = self.match
        found: list[tuple[int, Move]] = []
        for one in match.awaited:
            for player in one.players if isinstance(one, MoveAwaited) else ():
                for legal in match.game.legal_moves(match.state, player):
                    members = legal.members if isinstance(legal, Family) else (legal,)
                    found.extend((player, member) for member in members)
        return found

    def _list(self, everything: bool = False) -> None:
        """The moves with their numbers; kept dice are typed, so they are listed only when asked for."""
        offered = self._offered()
        several = len({player for player, _ in offered}) > 1
        if several and secret_of(self.match, self.match.awaited):
            return  # hands lie in different players' hands: each says their own move
        left = MOST_LISTED
        for number, (player, move) in enumerate(offered, start=1):
            if isinstance(move, Hold) and not everything:
                continue
            left -= 1
            if left < 0 and not everything:
                click.echo(f"  … and more of {len(offered)} (list)")
                break
            name = f"{self.match.header.players[player]}: " if several else ""
            click.echo(f"  {number:3} {name}{self._words(move)}")
        fewest = min((len(move.keep) for _, move in offered if isinstance(move, Hold)), default=None)
        if fewest is not None and not everything:
            click.echo(f"      {self._speaker().clause(message(KEEP_SOME if fewest else KEEP, n=fewest))}")

    def _words(self, move: Move) -> str:
        return self._speaker().say(offering(move))

    def _speaker(self) -> Speaker:
        return speaker(self.language, self.match.header.players)

    def _line(self) -> str | None:
        """A line of input, or None at its end."""
        if sys.stdin.isatty():
            click.echo("> ", nl=False)
        line = sys.stdin.readline()
        return line or None

    def _take(self, after: Match) -> None:
        """Write the new event, then say what came of it."""
        self._write(event_line(len(after.events), after.events[-1]))
        if self.secret:
            put_away()
        self.match, self.secret = after, False
        self._say(announced(after))

    def _write(self, line: str) -> None:
        if self.log:
            self.log.write(f"{line}\n")
            self.log.flush()
            os.fsync(self.log.fileno())


def _written(text: str) -> str:
    """Words with their signs, whatever their case and spaces."""
    return "".join(text.casefold().replace("-", "−").split())


def _may_decide(awaited: tuple[Awaited, ...]) -> bool:
    return any(isinstance(one, MoveAwaited) for one in awaited)


# --- hands that only one player may see, at a terminal that everyone sits around


def secret_of(match: Match, awaited: tuple[Awaited, ...]) -> tuple[int, ...]:
    """The players who are to decide by what only they may see."""
    asked = (player for one in awaited if isinstance(one, MoveAwaited) for player in one.players)
    return tuple(player for player in asked if match.game.private(match.state, player))


def hand_over(match: Match, player: int, language: str) -> None:
    """Let the others look away before a hand is shown; without a terminal nothing is shown."""
    if not sys.stdin.isatty():
        return
    click.clear()
    click.echo(
        speaker(language, match.header.players).say(
            message("Only {player:name} may look now. Everyone else, look away. Press Enter.", player=player)
        )
    )
    sys.stdin.readline()
    for panel in match.game.private(match.state, player):
        click.echo("\n".join(panel_lines(panel, language)))


def put_away() -> None:
    """Clear the screen of a hand, before the others look again."""
    if sys.stdin.isatty():
        click.clear()
