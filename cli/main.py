"""The front door: `tableside COMMAND`.

A command is a module of this room with a click command named `command`; it is imported when it is asked for
and not before, so that `tableside read` does not wait for a web server, nor `tableside score` for OpenCV.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

COMMANDS: dict[str, tuple[str, str]] = {
    "start": ("cli.start", "Open Tableside in your browser; so does `tableside` alone."),
    "demo": ("cli.demo", "Try Tableside on a demo table; no camera needed."),
    "serve": ("cli.serve", "Open the dashboard with your camera."),
    "read": ("cli.read", "Read the dice in a picture."),
    "enroll": ("cli.enroll", "Make a dice set from pictures of your own dice."),
    "score": ("cli.score", "Score one roll."),
    "advise": ("cli.advise", "Rate every choice; look back on luck, skill and the dice."),
    "play": ("cli.play", "Play a game by typing the rolls."),
    "replay": ("cli.replay", "Replay a recorded match and explain every score."),
    "matches": ("cli.matches", "List, export and import saved matches."),
    "games": ("cli.games", "List the games and their options."),
    "sets": ("cli.sets", "List, share and clean up dice sets."),
    "print": ("cli.print_", "Print stickers to make a set's dice."),
    "evaluate": ("training.commands.evaluate", "Measure how well labelled pictures are read."),
    "render": ("training.commands.render", "Render labelled pictures of a dice set."),
    "train": ("training.commands.train", "Train and export the networks (needs the train extra)."),
    "scoreboard": ("cli.scoreboard", "Test the LED scoreboard, or simulate one."),
    "bench": ("training.commands.bench", "Measure how fast this computer reads."),
    "desktop": ("cli.desktop", "Add Tableside to this computer's menu of programs."),
    "doctor": ("cli.doctor", "Check this computer and say what is wrong."),
}
"""A command's name, the module it lives in, and its line in `tableside --help`."""

START = "start"
"""The command that is meant by none."""

SET_BY_THE_FILE = frozenset({START, "serve", "demo"})
"""Commands whose options have the settings of `settings.toml` as their defaults."""

PLAYING = frozenset({START, "demo", "serve", "score", "advise", "play", "replay", "matches", "games"})
"""The commands that know every game, the players' own among them."""

EXIT_BAD_INPUT = 2
"""Unexpected input; one line on stderr names what was expected and what came."""


@dataclass(frozen=True, slots=True)
class StartAgain:
    """The result of a command that must run again, because a page asked for a restart."""

    link: str
    """The secret by which the host's browser, which has the address already, comes in again."""
    awaits_phone: bool = False
    """Wait for a phone as the camera from the beginning."""


class Doors(click.Group):
    """A group that imports a command's module when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every name, in the order people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module, or None if there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        module = COMMANDS[cmd_name][0]
        if module.startswith("training."):
            _find_training(cmd_name)
        if cmd_name in PLAYING:
            _add_own_games()
        command: click.Command = importlib.import_module(module).command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Nothing at all means `start`."""
        return super().parse_args(ctx, args or [START])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table above, importing none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=Doors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tableside", prog_name="tableside")
@click.pass_context
def doors(ctx: click.Context) -> None:
    """Reads the dice on a real table, scores the game, and tells everyone."""
    if ctx.invoked_subcommand in SET_BY_THE_FILE:
        from cli.settings import defaults

        ctx.default_map = {ctx.invoked_subcommand: defaults()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command, again for as long as it wants to start again, and leave with its exit code.

    Bad input (`ValueError`, `OSError` and their narrower kinds, click's own usage errors) and too little memory are
    one line on standard error and exit 2. Anything else is a fault of ours and keeps its traceback. Ctrl-C is quiet:
    exit 130.
    """
    code: object = None
    try:
        while code is None or isinstance(code, StartAgain):
            code = doors.main(args=arguments, prog_name="tableside", standalone_mode=False, obj=code) or 0
    except click.ClickException as refused:
        complain(refused.format_message())
        sys.exit(EXIT_BAD_INPUT)
    except click.Abort:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output went away (`tableside games | head`): not an error worth a word.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except MemoryError:
        complain("there is too little memory for this")
        sys.exit(EXIT_BAD_INPUT)
    except (ValueError, OSError) as refused:
        complain(_one_line(refused))
        sys.exit(EXIT_BAD_INPUT)
    sys.exit(code if isinstance(code, int) else 0)


def _find_training(command: str) -> None:
    """Make `training` importable: it is not installed with Tableside, only kept in the source checkout."""
    if importlib.util.find_spec("training") is None:
        checkout = Path(__file__).resolve().parents[1]
        if not (checkout / "training").is_dir():
            raise click.UsageError(
                f"`tableside {command}` needs the source checkout; this is an installed copy"
            )
        sys.path.append(str(checkout))


def _add_own_games() -> None:
    """Register the players' own game files; one that cannot be read must not keep people from the others."""
    from table.game_files import load

    for error in load():
        complain(f"left out: {_one_line(error)}")


def complain(message: str) -> None:
    """Say in one line what is wrong. It may quote a stranger's file: what would steer the terminal is spelled out."""
    line = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in " ".join(message.split()))
    click.echo(f"tableside: {line}", err=True)


def _one_line(refused: Exception) -> str:
    """An OSError as "what: which file", the rest as it says itself."""
    from messages.message import SpokenError

    if isinstance(refused, SpokenError):
        from words.speaker import speaker

        return speaker().clause(refused.message)
    if isinstance(refused, OSError) and refused.strerror:
        return f"{refused.strerror}: {refused.filename}" if refused.filename else refused.strerror
    return str(refused) or type(refused).__name__


if __name__ == "__main__":
    # Under its own name: a command that imports this module must not get a second one.
    importlib.import_module("cli.main").main()
