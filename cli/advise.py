"""`tableside advise GAME`: what each choice is worth, and afterwards whether the dice were kind."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.questions import Question, answer, likeliness
from cli.typed import pairs
from scoring.codec import plain
from scoring.game import AnyGame
from scoring.games import find
from scoring.options import Options, chosen

if TYPE_CHECKING:
    from advice.ask import Eights
    from advice.record import Advice

MOST_SHOWN = 12
"""Choices printed for people; --json has them all."""

IGNORED, WIN = "ignored", "win"


@click.command("advise")
@click.argument("game")
@click.option("--faces", metavar="a,b,c", help="The dice as they lie; none is before the first throw.")
@click.option("--open", "opened", metavar="A,B", help="Open boxes (Meet Fate) or free rows (Outback: 2,3,3).")
@click.option("--rolls-left", "left", type=int, metavar="N", help="Throws still to come this turn.")
@click.option("--option", "options", multiple=True, metavar="K=V", help="An option of the game; see `games`.")
@click.option(
    "--eights",
    default=WIN,
    show_default=True,
    metavar="win|ignored|N",
    help="Meet Fate: six eights win the match (alone, end the sheet), are nothing special, or are worth N points.",
)
@click.option(
    "--totals", metavar="A,B", help="Meet Fate: everyone's points so far, yours first; level by default."
)
@click.option(
    "--upper", default=0, metavar="N", help="Meet Fate with an upper bonus: points in the boxes 1 to 8."
)
@click.option("--card", metavar="NAME", help="Outlander: the card you will play, if its text is known.")
@click.option("--add", "added", multiple=True, metavar="FACE=N", help="Outlander: faces your card adds.")
@click.option(
    "--weight",
    "weights",
    multiple=True,
    metavar="FACE=N",
    help="How often a face comes, where dice are uneven.",
)
@click.option("--others", metavar="A,B", help="Quintuples: the hands on the table.")
@click.option("--to-come", default=0, metavar="N", help="Quintuples: players who roll after you.")
@click.option("--needs", metavar="A,B", help="Called Shot, Triples: points still needed, yours first.")
@click.option("--second", is_flag=True, help="With rounds finished: the other one began.")
@click.option("--seats", default=2, show_default=True, metavar="N", help="Pairs, Meet Fate: the players.")
@click.option("--jeep", metavar="A,B", help="Outback: the animals on the jeep.")
@click.option(
    "--worth", "worths", multiple=True, metavar="ANIMAL-ROW=N", help="Outback: what a placement is worth."
)
@click.option("--hold", metavar="a,b", help="Outback: the chance of every group when these are kept.")
@click.option(
    "--log", "logs", multiple=True, type=click.Path(path_type=Path), help="Look back: luck, skill, dice."
)
@click.option("--solve", is_flag=True, help="Meet Fate: solve these house rules and keep the table.")
@click.option("--match", "players", metavar="A,B", help="Meet Fate: a match against the perfect player.")
@click.option("--seed", type=int, help="Of --match: what is thrown is repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(game: str, options: tuple[str, ...], eights: str, logs: tuple[Path, ...], **given: Any) -> None:
    """Advise on GAME: a position from the options, a recorded match with --log."""
    rules = find(game)
    told = chosen(rules.options, pairs(options, "--option"))
    worth = eights_worth(eights)
    as_json, solve, players, seed = (given.pop(name) for name in ("as_json", "solve", "players", "seed"))
    if solve:
        click.echo(solved(rules, told, worth, given["seats"], as_json))
    elif players is not None:
        from cli.perfect import play_against

        play_against(rules, told, worth, players, seed)
    elif logs and given["faces"] is None:
        from cli.lookback import looked_back

        likely = likeliness(Question(rules, told, weights=given["weights"]))
        click.echo(looked_back(rules, logs, worth, likely, as_json))
    else:
        asked = Question(rules, told, eights=worth, thrown=_thrown(rules, logs), **given)
        if given["hold"] is not None:
            click.echo(groups(asked, as_json))
            return
        advice = answer(asked)
        click.echo(json.dumps(record(advice), ensure_ascii=False) if as_json else said(advice))


def eights_worth(text: str) -> Eights:
    """What six eights are worth: the match, nothing special (None), or points. Raises ValueError."""
    word = text.strip().casefold()
    if word in (IGNORED, WIN):
        return WIN if word == WIN else None
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"--eights: expected {WIN}, {IGNORED} or a number, got {text[:40]!r}") from None


def record(advice: Advice) -> dict[str, Any]:
    """Advice as `--json` prints it."""
    choices = [
        {
            "do": one.words,
            "move": None if one.move is None else plain(one.move),
            "worth": one.worth,
            "cost": one.cost,
        }
        | ({"figures": dict(one.figures)} if one.figures else {})
        for one in advice.choices
    ]
    return {
        "game": advice.game,
        "unit": advice.unit,
        "exact": advice.exact,
        "assumes": advice.assumes,
        "expected": advice.best.worth,
        "best": choices[0],
        "choices": choices,
        "figures": dict(advice.figures),
        "sentence": advice.sentence,
        "why": advice.why,
    }


def said(advice: Advice) -> str:
    """Advice for people."""
    lines = [advice.sentence, advice.why, ""]
    lines += [
        f"{one.worth:12.6f}  {-one.cost or 0.0:+11.6f}  {one.words}" for one in advice.choices[:MOST_SHOWN]
    ]
    if (more := len(advice.choices) - MOST_SHOWN) > 0:
        lines.append(f"… and {more} more (--json lists them all)")
    if advice.figures:
        lines += ["", *(f"{_figure(value):>12}  {name}" for name, value in advice.figures)]
    if advice.assumes:
        kind = "Exact" if advice.exact else "An estimate"
        lines += ["", f"{kind}, in {advice.unit}; taken for granted: {advice.assumes}."]
    return "\n".join(lines)


def solved(game: AnyGame, options: Options, eights: Eights, seats: int, as_json: bool) -> str:
    """Solve Meet Fate by some house rules, unless it is, and say what a whole sheet is worth. Raises ValueError."""
    from advice import fate_solve, fate_table
    from advice.ask import fate_eights
    from advice.fate_rules import house

    if game.id != "meet-fate":
        raise ValueError(f"--solve: only meet-fate is solved beforehand, got {game.id}")
    rules = house(options, fate_eights(eights, seats))
    fate_solve.check_solvable(rules)
    path = fate_table.own_folder() / fate_table.file_name(rules)
    try:
        table = fate_table.find(rules)
    except fate_table.TableError as damaged:
        click.echo(f"{damaged}", err=True)
        table = None
    if table is None or not path.is_file():
        with click.progressbar(length=fate_table.SHEETS, label="Solving", file=sys.stderr) as bar:
            worth = fate_solve.solve(rules, lambda done, _: bar.update(done - bar.pos))
        table = fate_table.FateTable(rules, worth)
        fate_table.save(table, path)
    told = {"game": game.id, "expected": table.expected, "table": str(path), "rules": rules.key}
    if as_json:
        return json.dumps(told)
    return f"{table.expected:.6f} points are the best expected total of a whole sheet.\nKept in {path}."


def groups(asked: Question, as_json: bool) -> str:
    """The chance of every group for one hold, in Outback. Raises ValueError."""
    from advice.outback import OutbackAdviser
    from cli.typed import typed_faces
    from scoring.dice import within

    if not asked.game.id.startswith("outback"):
        raise ValueError(f"--hold: only Outback has groups, got {asked.game.id}")
    faces, kept, left = asked.roll(), typed_faces(asked.game, asked.hold or ""), asked.throws(2)
    dice = asked.game.dice
    if not within(kept, faces) or len(faces) != dice.count:
        raise ValueError(f"--hold: only dice that lie there can be kept: {', '.join(faces)}")
    if left not in (0, 1, 2):
        raise ValueError(f"with dice on the table 0, 1 or 2 throws are left, got {left}")
    head = OutbackAdviser(dice.count, tuple(range(2, dice.count + 1)))
    chances = head.group_chances(
        tuple(kept.count(face) for face in dice.faces), left if len(kept) < dice.count else 0
    )
    if as_json:
        return json.dumps({f"{animal}-{row}": chance for (animal, row), chance in chances.items()})
    return "\n".join(f"{chance:9.6f}  {animal} in row {row}" for (animal, row), chance in chances.items())


def _thrown(game: AnyGame, logs: tuple[Path, ...]) -> tuple[str, ...]:
    """The faces thrown in recorded matches with these dice. Raises ValueError."""
    if not logs:
        return ()
    from cli.lookback import throws_in

    return tuple(face for throw in throws_in(game, logs) for face in throw.faces)


def _figure(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.6f}"
