"""Outlander Destiny Dice by the fan rules: six dice, one re-roll of two, one card a turn; to 40 (RULINGS 1).

Only two of the thirty-six card texts are known and do what they say. Any other card is played as effects that
the table tells, one move each, and every one of them can be taken back.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import ClassVar

from messages.message import N_, Message, MessageError, message
from scoring.account import Outcome, ScoredRoll, Step
from scoring.actions import (
    Action,
    Awaited,
    Family,
    Hold,
    Move,
    MoveAwaited,
    Play,
    Roll,
    RollAwaited,
    Seated,
    Stand,
    held,
    refuse,
)
from scoring.dice import Dice, Face, choices, within
from scoring.game import Added, Game
from scoring.games.outlander.cards import (
    PRINTED,
    Card,
    Change,
    Faces,
    Points,
    check_again,
    check_effect,
    check_text,
    effects,
    known,
)
from scoring.games.outlander.score import FACES, READINGS, turn_lines
from scoring.games.outlander.turn import (
    DECK,
    HAND,
    OutlanderState,
    as_it_lies,
    card_taken,
    pointed,
    reseated,
    scored,
)
from scoring.options import Option, Options
from scoring.view import Mark, Panel, TableView, seats

THROWS = 2
"""Throws a turn, cards apart."""

MOST_REROLLED = 2
"""Dice in the one re-roll."""

OPTIONS = (
    *READINGS,
    Option(
        "target",
        40,
        "The first player to reach this many points wins.",
        "RULINGS 1.1",
        low=1,
        title="Points to reach",
    ),
    Option(
        "draw_rule",
        "refill",
        "At the end of a turn, do you draw until you hold two cards, or always draw one?",
        "RULINGS 1.6 Q5",
        values=("refill", "always-one"),
        title="Drawing cards",
        answers=("up to two cards", "always one card"),
    ),
    Option(
        "card_timing",
        "after",
        "Do you play the card after the second throw, as in the rules, or before or after it?",
        "RULINGS 1.6 Q7",
        values=("after", "either"),
        title="When to play the card",
        answers=("after the second throw", "before or after"),
    ),
    Option(
        "clamp_zero",
        False,
        "Does a total stop at 0 instead of going negative?",
        "RULINGS 1.6 Q8",
        title="Never below zero",
    ),
    Option(
        "finish_round",
        False,
        "When someone reaches the end, do you finish the round so that everyone has had the same "
        "number of turns?",
        "RULINGS 1.6 Q10",
        title="Finish the round",
    ),
    Option(
        "card_optional",
        False,
        "May a player skip the card?",
        "RULINGS 1.6 Q11",
        title="Card is optional",
    ),
)

CIRCUMSTANCES = (
    Option("card_points", 0, "Points that the card adds outright.", "RULINGS 1.3", low=-999, high=999),
)


ASKED = {
    (True, True, True): "throw again, play a card or score",
    (True, True, False): N_("throw again, or play a card and score"),
    (True, False, True): "throw again or score",
    (True, False, False): "throw again",
    (False, True, True): "play a card or score",
    (False, True, False): N_("play a card, then score"),
    (False, False, True): "score the dice",
    (False, False, False): "",
}
"""What there is to decide, by whether dice may be thrown again, a card played, the turn scored."""

CARD_PLAYED = {
    "hand": N_("{player:name} plays “{title:rule}” from hand."),
    "pile": N_("{player:name} plays “{title:rule}” from the draw pile."),
}
CARD_TAKEN = {
    "hand": N_("{player:name} plays {title:rule} from hand."),
    "pile": N_("{player:name} plays {title:rule} from the draw pile."),
}
"""What is said of a card, by where it comes from; the second of one that Tableside does not know."""


class Outlander(Game[OutlanderState]):
    """Reunite Jamie and Claire: forty on the Victory track."""

    id: ClassVar[str] = "outlander"
    title: ClassVar[str] = "Outlander Destiny Dice (fan rules)"
    blurb: ClassVar[str] = "Reunite Jamie and Claire: roll, play a card and be first to forty points."
    minutes: ClassVar[int] = 15
    showcase: ClassVar[tuple[Face, ...]] = ("jamie", "claire", "bjr")
    board: ClassVar[str] = "outlander"
    dice: ClassVar[Dice] = Dice("outlander", 6, FACES)
    seats: ClassVar[tuple[int, int]] = (1, 4)
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    circumstances: ClassVar[tuple[Option, ...]] = CIRCUMSTANCES
    cards_add_faces: ClassVar[bool] = True
    moves: ClassVar[tuple[type[Move], ...]] = (Hold, Card, Faces, Change, Points, Stand)

    def start(self, players: tuple[str, ...], options: Options) -> OutlanderState:
        """Two cards each; the players choose who sits first."""
        n = len(players)
        return OutlanderState(players, options, (0,) * n, (HAND,) * n, DECK - HAND * n)

    def awaits(self, state: OutlanderState) -> tuple[Awaited, ...]:
        """The roll; the re-roll or a card; what the card does."""
        if self.outcome(state):
            return ()
        if state.rolling:
            return (RollAwaited(state.turn, self.dice.count, FACES, state.kept),)
        if state.stage == "card" and not state.printed:
            return (MoveAwaited((state.turn,), N_("enter what the card does, then score")),)
        reroll = bool(state.again) if state.stage == "card" else not state.rerolled
        return (MoveAwaited((state.turn,), ASKED[reroll, not state.played, self._may_score(state)]),)

    def legal_moves(self, state: OutlanderState, player: int) -> tuple[Move | Family, ...]:
        """Which dice to keep, which card to play, what it does."""
        if self.outcome(state) or player != state.turn or state.rolling:
            return ()
        if state.stage == "card":
            return (Stand(), *effects(state.dice, tuple(state.faces()), len(state.players), state.again))
        legal: list[Move | Family] = []
        if self._may_score(state):
            legal.append(Stand())
        if not state.played:
            cards = (Card("hand"), Card("pile"))
            legal.extend(card for card in cards if self.can(state, Play(player, card)))
        if not state.rerolled:
            fewest = self.dice.count - MOST_REROLLED
            kept = tuple(Hold(k) for k in choices(state.dice) if fewest <= len(k) < self.dice.count)
            legal.append(Family(Hold.kind, kept))
        return tuple(legal)

    def recorded(self, move: Move) -> Move:
        """A card by its title is the card that the rules print."""
        return known(move) if isinstance(move, Card) else move

    def _may_score(self, state: OutlanderState) -> bool:
        return state.played or state.options.flag("card_optional")

    def check(self, state: OutlanderState, action: Action) -> None:
        """One re-roll of at most two dice, one card, and effects that the table allows."""
        if not isinstance(action, Play):
            return
        move = action.move
        if isinstance(move, Card):
            _check_card(state, move, action.player)
        elif isinstance(move, Hold):
            self._check_hold(state, move)
        elif isinstance(move, Stand):
            if state.stage == "dice" and not self._may_score(state):
                refuse("play a card first, from your hand or the draw pile", "house-card_optional")
        elif state.stage != "card":
            refuse("only a card can change the dice: play a card first", "card")
        else:
            check_effect(move, state.faces(), len(state.players))

    def _check_hold(self, state: OutlanderState, move: Hold) -> None:
        where = "throwing"
        if not within(move.keep, state.dice):
            refuse("you can only hold dice on the table: {dice:row}", where, dice=state.dice)
        again = self.dice.count - len(move.keep)
        if again == 0:
            refuse("you are holding all the dice: release some to throw again", where)
        if state.stage == "card":
            check_again(move.keep, state.dice, state.again)
        if state.stage == "dice" and state.rerolled:
            refuse("you have already thrown again this turn", where)
        if state.stage == "dice" and again > MOST_REROLLED:
            refuse(
                "hold at least {fewest} dice: you may throw at most {most} again",
                where,
                fewest=self.dice.count - MOST_REROLLED,
                most=MOST_REROLLED,
            )

    def advance(self, state: OutlanderState, action: Action) -> Step[OutlanderState]:
        """The dice come to lie; a card is played and does what it says; the turn is scored."""
        player = state.turn
        if isinstance(action, Roll):
            after = replace(state, rolling=False, dice=action.faces, kept=())
            rolled = message(
                "{player:name} rolled {faces:tally}.", player=player, faces=self.dice.ordered(action.faces)
            )
            return Step(after, (), (rolled, *as_it_lies(after)))
        assert isinstance(action, Play)
        move = action.move
        if isinstance(move, Hold):
            again = state.rerolled or state.stage == "dice"
            after = replace(state, rolling=True, kept=move.keep, rerolled=again, again="")
            return Step(after, (), (held(player, move.keep),))
        if isinstance(move, Card):
            return self._card_played(state, move)
        if isinstance(move, Points):
            return pointed(state, move)
        if isinstance(move, Faces):
            rule = "The card adds {n} {face:face}." if move.n > 0 else "The card removes {n} {face:face}."
            said = message(rule, n=abs(move.n), face=move.face)
            return self._adjusted(state, said, (move.face, move.n))
        if isinstance(move, Change):
            rule = "The card turns {n} {face:face} into {into:face}."
            said = message(rule, n=move.n, face=move.face, into=move.into)
            return self._adjusted(state, said, (move.face, -move.n), (move.into, move.n))
        if state.stage == "card" and state.options.text("card_timing") == "either" and not state.rerolled:
            return Step(replace(state, stage="dice"), (), (message("The card is done. Throw again or score?"),))
        return scored(state)

    def _adjusted(self, state: OutlanderState, said: Message, *by: tuple[Face, int]) -> Step[OutlanderState]:
        """The card adds faces, or takes some (negative)."""
        after = replace(state, adjusted=(*state.adjusted, *by))
        return Step(after, (), (said, *as_it_lies(after)))

    def _card_played(self, state: OutlanderState, move: Card) -> Step[OutlanderState]:
        after = replace(card_taken(state, move), stage="card", played=True, again="any", printed=False)
        if not move.printed:
            asked = message(CARD_TAKEN[move.source], player=state.turn, title=move.title or "a card")
            return Step(after, (), (asked,))
        card = PRINTED[move.printed]
        after = replace(after, adjusted=(*after.adjusted, *card.added), again=card.again, printed=True)
        said = [message(CARD_PLAYED[move.source], player=state.turn, title=card.title)]
        said += [message("The card adds {n} {face:face}.", n=n, face=face) for face, n in card.added]
        if card.again:
            return Step(after, (), (*said, message("You may throw all dice of one face again: hold "
                                                   "the others.")))
        return Step(after, (), (*said, *as_it_lies(after)))

    def outcome(self, state: OutlanderState) -> Outcome | None:
        """First to the end of the track, at once unless the round is to be finished."""
        goal, finish = state.options.number("target"), state.options.flag("finish_round")
        round_over = state.turn == 0 and state.rolling and not state.dice
        if max(state.points) < goal or (finish and not round_over):
            return None
        winners = tuple(player for player, total in enumerate(state.points) if total == max(state.points))
        return Outcome(winners, state.points, N_("first to the end of the Victory track"))

    def table(self, state: OutlanderState) -> TableView:
        """The Victory track, the piles, the faces that count and what they score as they lie."""
        over = self.outcome(state) is not None
        marks = [(Mark("cards", n, message("{n:count card cards} in hand", n=n)),) for n in state.hands]
        shown = seats(state.players, state.points, () if over else (state.turn,), marks)
        panels = [Panel("Cards", ("draw pile", "discard"), ((state.pile, state.discard),))]
        if state.dice and not state.rolling:
            counts = state.faces()
            rows = tuple((face, counts[face]) for face in FACES if counts[face])
            panels.append(Panel("Faces", ("face", "count"), rows))
            points = sum(one.points for one in state.lines())
            panels.append(Panel("Score now", ("points",), ((points,),)))
        throws = bool(state.dice) + (state.rerolled and not state.rolling)
        return TableView(shown, state.dice, state.kept, tuple(panels), (throws, THROWS))

    def rarest(self, state: OutlanderState, faces: tuple[Face, ...]) -> Message | None:
        """The best of the special six."""
        if faces.count("claire") == faces.count("jamie") == self.dice.count // 2:
            return message("Three Claires and three Jamies!")
        return None

    def reseat(self, state: OutlanderState, change: Seated) -> OutlanderState:
        """Newcomers begin without points and draw two cards; the cards of who leaves are discarded."""
        return reseated(state, change)

    def score_roll(
        self, faces: tuple[Face, ...], told: Options, declared: str | None, added: Added
    ) -> ScoredRoll:
        """The turn's score for six dice, the faces a card adds, and the points it adds."""
        counts = Counter(faces)
        for face, n in added:
            if counts[face] + n < 0:
                raise MessageError(
                    "you cannot remove {n} {face:face}: {lying} on the table",
                    n=-n,
                    face=face,
                    lying=counts[face],
                )
            counts[face] += n
        lines = turn_lines(Counter(faces), +counts, told.number("card_points"), told)
        return ScoredRoll(sum(one.points for one in lines), breakdown=lines)


def _check_card(state: OutlanderState, move: Card, player: int) -> None:
    where = "card"
    if state.stage == "card" or state.played:
        refuse("you have already played a card this turn", where)
    if move.source == "hand" and not state.hands[player]:
        refuse("you have no cards in hand", where)
    if move.source == "pile" and not state.pile + state.discard:
        refuse("the draw pile and the discard pile are empty", where)
    check_text(move.title)
    if move.printed and move.printed not in PRINTED:
        refuse("Tableside knows no card {card:quoted}", "card", card=move.printed[:40])


GAMES = (Outlander(),)
