"""`tableside matches`: the matches that are kept; out of the store as JSON lines, and into it."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import click

from cli.main import complain
from cli.replay import log_in
from files.folders import tables_folder
from scoring.games import find
from scoring.logfile import MatchLogError, read
from table.storage.database import may_write
from table.storage.recovery import rescue
from table.storage.store import FILE, Store

at_store = click.option(
    "--store", "url", envvar="TABLESIDE_STORE", metavar="URL", help="A database shared by several tables."
)


def store_at(url: str | None) -> Store:
    """The store behind a URL, or the data folder's own. Raises StoreError."""
    return Store(url) if url else Store.of(tables_folder())


def store_to_read(url: str | None) -> Store:
    """The same, and also where it may not be written. Raises StoreError."""
    path = tables_folder() / FILE
    if url or not path.is_file() or may_write(path):
        return store_at(url)
    store = Store.seen(path)
    store.refused = store.damaged()
    return store


@click.group("matches", invoke_without_command=True)
@at_store
@click.pass_context
def command(context: click.Context, url: str | None) -> None:
    """List the saved matches, newest first."""
    context.obj = url
    if context.invoked_subcommand:
        return
    with closing(store_to_read(url)) as store:
        for line in store.refused:
            complain(str(line))
        for one in store.matches():
            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.touched))
            place = f" [{one.place}]" if one.place else ""
            click.echo(
                f"{one.id}  {when}  {one.state:7}  {one.events:5} events  {', '.join(one.players)}{place}"
            )


@command.command("export")
@click.argument("match_id", metavar="ID")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A new file; otherwise it is printed.")
@click.option("--hands", is_flag=True, help="Also while hidden cards are in play; the file tells them all.")
@click.pass_obj
def export(url: str | None, match_id: str, output: Path | None, hands: bool) -> None:
    """Write a match as JSON lines, as `tableside replay` reads them."""
    with closing(store_to_read(url)) as store:
        log = store.log(match_id)
    if not hands and _hides(log):
        raise MatchLogError(
            "match {id} is still running and has hidden cards: wait until it ends, or add --hands", id=match_id
        )
    if output is None:
        click.echo(log, nl=False)
    else:
        with output.open("x", encoding="utf-8", newline="\n") as file:
            file.write(log)


def _hides(log: str) -> bool:
    try:
        return read(log, find).hides
    except MatchLogError:  # it cannot be replayed, so nobody plays it any more
        return False


@command.command("import")
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.pass_obj
def import_(url: str | None, logs: tuple[Path, ...]) -> None:
    """Import matches from files of JSON lines."""
    with closing(store_at(url)) as store:
        for log in logs:
            text = log_in(log)
            try:
                click.echo(store.add_log(text, find))
            except MatchLogError as refused:
                raise MatchLogError("{path}: {why}", path=str(log), why=refused.message) from None


@command.command("rescue")
@click.argument("store", type=click.Path(path_type=Path), required=False)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="A folder for the logs.")
def rescue_(store: Path | None, output: Path) -> None:
    """Save what can still be read of a damaged STORE file (by default your own) as JSON lines, one file a match."""
    saved = rescue(store or tables_folder() / FILE)
    output.mkdir(parents=True, exist_ok=True)
    for match_id, log in saved.items():
        path = output / f"{Path(match_id).name}.jsonl"
        path.write_text(log, encoding="utf-8", newline="\n")
        click.echo(f"{path}: {log.count(chr(10)) - 1} events")
    if not saved:
        raise MatchLogError("nothing in this file can be read")
