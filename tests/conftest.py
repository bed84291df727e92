"""What holds for every test: its marks, and how long it may take.

A test without a mark is quick: the whole of them is what one runs after each edit (`pytest -m "not slow"`). `slow` is
what starts a browser, a server, a simulator or another process, plays a film, or takes more than a second. `proof` is
what measures rather than tests; it runs with `make proof` only. A test that outgrows its mark fails.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Generator, Iterator
from itertools import groupby, islice

import pytest

# Started in the background of a shell, we inherit that Ctrl-C is ignored, and so would the programs that tests end
# with it.
signal.signal(signal.SIGINT, signal.default_int_handler)

STARTS_SOMETHING = {"playwright", "firmware", "simulator", "natives"}
"""Fixtures that start a browser or build the scoreboard's firmware: whoever asks for one is slow."""

QUICK, SLOW = 5.0, 60.0
"""Seconds of processor time that an unmarked test may take, and a slow one. Waiting does not count, so that a busy
machine fails nothing."""

STARTED = pytest.StashKey[float]()
"""When a test's set-up began, by the processor's clock."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--slow-browser",
        type=float,
        default=1.0,
        metavar="TIMES",
        help="how many times slower than it is the browser shall be, to find what only an old tablet shows",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many workers again as there are cores: browsers and cameras are waited for a third of the time."""
    return (os.cpu_count() or 1) * 3 // 2


def pytest_configure() -> None:
    if "PYTEST_XDIST_WORKER" in os.environ:  # a worker has less than a core: more threads only wait for each other
        import cv2

        from vision import network

        cv2.setNumThreads(1)
        network.THREADS = 1


@pytest.fixture(scope="session", autouse=True)
def no_data_of_yours(tmp_path_factory: pytest.TempPathFactory) -> Generator[None]:
    """Matches, dice and names of whoever runs the tests are left alone: what a test keeps, it keeps elsewhere."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLESIDE_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("proof") or STARTS_SOMETHING & set(getattr(item, "fixturenames", ())):
            item.add_marker("slow")
    items[:] = _dealt(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def _dealt(items: list[pytest.Item], hands: int) -> Iterator[pytest.Item]:
    """The tests in as many equal pieces as there are workers, which each begin with their share of the slow ones, a
    file's together; what is left in the end, when workers take from each other, is quick."""
    if hands == 1:
        return iter(items)
    slow = [one for one in items if one.get_closest_marker("slow")]
    quick = iter([one for one in items if not one.get_closest_marker("slow")])
    files = [list(file) for _, file in groupby(slow, key=lambda one: one.path)]
    dealt: list[list[pytest.Item]] = [[] for _ in range(hands)]
    for file in sorted(files, key=len, reverse=True):
        min(dealt, key=len).extend(file)
    share = -(-len(items) // hands)
    for hand in dealt:
        hand.extend(islice(quick, max(0, share - len(hand))))
    return (one for hand in dealt for one in (*hand, *(quick if hand is dealt[-1] else ())))


def _processor_time() -> float:
    """Seconds this process and the programs it has ended have taken so far."""
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    item.stash[STARTED] = _processor_time()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    outcome = yield
    took = _processor_time() - item.stash[STARTED]
    for mark, limit, other in (("slow", QUICK, "slow"), ("proof", SLOW, "a proof")):
        if took > limit and not item.get_closest_marker(mark):
            why = f"took {took:.1f} s of processor time; make it quicker than {limit:.0f} s, or mark it {other}"
            pytest.fail(why, pytrace=False)
    return outcome
