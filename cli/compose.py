"""Puts the rooms together: the only place that knows every one of them."""

from __future__ import annotations

import errno
import os
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from advice.counsel import Expert
from cli.listening import ANY, Binding
from cli.outlets import Outlet, connect, devices
from cli.running import address_of, noted
from files.folders import tables_folder
from scoring.games import find as find_game
from scoring.match import Match, begin
from table.cameras.cameras import OffsetThrower
from table.cameras.choice import DEMO, CameraChoice
from table.ports import Output, ReadsDice, Thrower
from table.session import Session
from table.settings import SettingsFile
from table.storage.evidence import Album
from table.storage.players import RecentPlayers
from table.storage.store import MatchStore, Store
from table.table import Table
from table.teaching.learning import LearningReader
from table.teaching.lesson import Lesson
from table.teaching.saved import LessonFile
from table.teaching.sets import SetLibrary
from table.watcher import NoDice, OpenMatch
from vision.boxes import Box
from vision.camera import camera_at
from vision.camera.bounded import Bounded
from vision.camera.source import Source
from vision.dicesets.model import DiceSet
from vision.frame import Pixels
from web.announcer import Announcer
from web.app import create_app
from web.program import Program
from web.settings import WebSettings
from web.site import Site

if TYPE_CHECKING:
    from flask import Flask

    from vision.detect.detector import Detector
    from vision.reader import Reader

PORTS_TRIED = 20


@dataclass(frozen=True, slots=True, eq=False)
class House:
    """A table with its pages, ready to start."""

    table: Table
    announcer: Announcer
    app: Flask
    outlets: Sequence[Outlet] = ()
    album: Album | None = None
    program: Program | None = None

    def open(self, port: int = 0) -> None:
        """Begin to look; the pages are served at `port`.

        Raises OSError: an output has to keep something, and cannot.
        """
        self.table.start()
        for outlet in self.outlets:
            outlet.start(port)

    def close(self) -> None:
        """Let every page go, the camera, the scoreboard."""
        self.announcer.close()
        self.table.stop()
        for outlet in self.outlets:
            outlet.device.close()
        if self.album is not None:
            self.album.close()


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A match and its store."""

    match: Match
    store: MatchStore


def furnish(
    camera: Source,
    *,
    dice_set: DiceSet,
    game: str = "",
    players: Sequence[str] = (),
    options: Mapping[str, object] | None = None,
    reader: ReadsDice | None = None,
    thrower: Thrower | None = None,
    settings: WebSettings | None = None,
    kept: Kept | None = None,
    outlets: Sequence[Outlet] = (),
    language: str = "en",
    choice: CameraChoice | None = None,
    remember: Callable[[CameraChoice], None] = lambda _: None,
    program: Program | None = None,
) -> House:
    """A match on a table under a camera: a new one, or the one that is `kept` already.

    `reader` is by default the one with the shipped networks; `language` what the outputs beside the pages say;
    `choice` how the camera is named on the command line, and `remember` keeps what is chosen in its stead;
    `program` is what the pages steer.

    Raises:
        ValueError: the game, its players or options do not fit; or the networks are missing.
        StoreError: the match cannot be kept.
    """
    view = camera if isinstance(camera, Bounded) else Bounded(camera, markers=False)
    match = kept.match if kept else begin(find_game(game), players, options)
    store = kept.store if kept else Store.of(tables_folder()).begin(match)
    announcer, album = Announcer(), Album(store.store)
    throwing = OffsetThrower(thrower, view) if thrower is not None else None
    opens = MatchOpener(
        reader, source=camera.name, outputs=(announcer, *outlets), album=album, language=language
    )
    table = Table(opens(match, store, dice_set, throwing), opens=opens, thrower=throwing, states=announcer)
    chosen = choice or CameraChoice(camera.name)
    table.look_through(view, chosen, camera_for, find_dice=_finds(reader), remember=remember)
    connect(outlets, announcer.devices_are)
    announcer.devices_are(devices(outlets))
    table.session.greet()
    program = program or Program(SettingsFile(tables_folder()))
    return House(table, announcer, pages_of(table, announcer, settings, program), outlets, album, program)


def pages_of(
    table: Table, announcer: Announcer, settings: WebSettings | None = None, program: Program | None = None
) -> Flask:
    """The pages of a table. Raises OSError if the list of devices cannot be kept."""
    folder = tables_folder()
    lesson = Lesson(table, file=LessonFile(folder))
    return create_app(
        Site(
            table,
            announcer,
            settings or WebSettings(),
            Expert(),
            SetLibrary(),
            lesson,
            RecentPlayers(folder),
            program or Program(SettingsFile(folder)),
        )
    )


def camera_for(chosen: CameraChoice, session: Session) -> Source:
    """Make the camera chosen during a match, without opening it. The demo table gets the match's dice.

    Raises:
        ValueError: the demo table has no pictures of these dice.
        CameraError: there is no such camera.
    """
    if chosen.source != DEMO:
        return camera_at(
            chosen.source, size=chosen.size, lock_exposure=chosen.lock_exposure, strict=chosen.strict
        )
    from vision.demo.camera import DemoCamera

    demo = DemoCamera(session.dice_set, count=session.match.game.dice.count)
    shown = session.latest().snapshot
    if not shown.question:  # what is in doubt must not be settled by dice that we lay ourselves
        demo.set_out([die.face for die in shown.dice])
    return demo


class MatchOpener:
    """Puts matches on one table: whichever comes next, the outputs and the pictures' album are the same, and the
    networks are opened once."""

    def __init__(
        self,
        reader: ReadsDice | None,
        *,
        source: str,
        outputs: Sequence[Output] = (),
        album: Album | None = None,
        language: str = "en",
    ) -> None:
        """`reader` reads the table; by default one is opened for each match's dice. `source` is the camera's name."""
        self._reader, self._source = reader, source
        self._outputs, self._album, self._language = tuple(outputs), album, language
        self._opened: Reader | None = None

    def __call__(
        self, match: Match, store: MatchStore, dice_set: DiceSet, thrower: Thrower | None
    ) -> OpenMatch:
        """See `table.table.OpensMatches`."""
        reader = self.reader(dice_set)
        learner = reader if isinstance(reader, LearningReader) else None
        session = Session(
            match, store, dice_set, outputs=self._outputs, thrower=thrower, language=self._language,
            album=self._album, learns=learner.corrected if learner else None,
            counted=learner.counted if learner else None,
        )  # fmt: skip
        return OpenMatch(session, reader, learner.close) if learner else OpenMatch(session, reader)

    def reader(self, dice_set: DiceSet) -> ReadsDice:
        """The reader of these dice, which learns from corrections. Raises ValueError if the networks are missing."""
        if self._reader is not None:
            return self._reader
        if not dice_set.faces:
            return NoDice()
        from vision.enrol.examples import learning
        from vision.reader import Reader as Opened

        if self._opened is None:
            self._opened = network = Opened(dice_set, frames=True)
        else:
            # The same networks with other pictures to compare with; the one before may be reading this moment.
            network = copy(self._opened)
            network.know(dice_set)
        return LearningReader(network, learning(network, dice_set), source=self._source)


def _finds(given: ReadsDice | None) -> Callable[[Pixels], Sequence[Box]]:
    """Finds dice in a picture, whatever they show; the network is opened when somebody asks first."""
    if given is not None:
        return lambda pixels: [die.box for die in given.read(pixels).dice]

    @cache
    def detector() -> Detector:
        from vision.detect.detector import Detector as Opened

        return Opened()

    return lambda pixels: [one.box for one in detector().detect(pixels)]


def serve(house: House, bound: Binding, said: Callable[[str], None]) -> None:
    """Serve the pages until Ctrl-C, or until a page ends the program; `said` gets the address once it answers.

    Raises OSError if no port is free.
    """
    from web.network.server import TableServer

    host = bound.host
    free = free_port(host, bound.port)
    server = TableServer((host, free), house.app, certificate=bound.certificate)
    server.prepare()

    stopping = threading.Lock()

    def stop() -> None:
        with stopping:  # `serve` returns before the server has let everyone go
            house.announcer.close()
            server.stop()

    if house.program is not None:
        house.program.stop = stop
    try:
        house.open(free)
        shown = "localhost" if host in ANY else host
        with noted(tables_folder(), shown, free):
            said(address_of(shown, free))
            server.serve()
    except KeyboardInterrupt:
        pass
    finally:
        with stopping:
            house.close()
            server.stop()


def free_port(host: str, port: int) -> int:
    """The first port from `port` on that no other program listens on.

    Raises OSError: the host is not this computer, or all of the next ports are busy.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    for tried in range(port, min(port + PORTS_TRIED, 65536)):
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # As the server itself will: a port that only lingers from the last run is free.
            if os.name != "nt":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address[0], tried))
            except OSError as busy:
                if busy.errno != errno.EADDRINUSE:
                    raise OSError(f"cannot listen on {host}: {busy.strerror}") from busy
            else:
                return tried
    raise OSError(f"the ports from {port} to {port + PORTS_TRIED - 1} are all busy; say another --port")
