"""How much of the network each page needs the first time it is opened, with everything compressed as it is sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scoring.games import find as find_game
from scoring.match import begin
from tests.web.serving import Served
from tests.web.tables import played
from tests.web.visitor import Visitor

MOST = 200
"""Kilobytes of a page, its scripts, styles, typefaces and drawings; the camera's picture is not the page's."""


def weight(page: Visitor, path: str) -> float:
    """Kilobytes that come over the wire for a page, with nothing in the browser's cache."""
    wire = page.page.context.new_cdp_session(page.page)
    wire.send("Network.enable")
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes, pictures = dict[str, float](), set[str]()

    def answered(event: dict[str, dict[str, str] | str]) -> None:
        response = event["response"]
        assert isinstance(response, dict)
        if "/picture" in response["url"]:
            pictures.add(str(event["requestId"]))

    wire.on("Network.responseReceived", answered)
    wire.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    page.open(path)
    page.page.wait_for_timeout(500)
    wire.detach()
    return sum(size for request, size in sizes.items() if request not in pictures) / 1000


@pytest.mark.parametrize("game", ["meet-fate", "outback", "outlander"])
def test_no_page_needs_more_than_two_hundred_kilobytes(
    serve: Callable[..., Served], visit: Callable[..., Visitor], game: str
):
    visitor = visit(serve(match=begin(find_game(game), ["Alice", "Bob"]), seed=3, watched=True), kind=Visitor)
    for _ in played(visitor.session, 9):
        pass
    match = f"/history/{visitor.session.store.id}"
    paths = ["/", "/television", "/spectator", f"{match}/3"]
    if game == "meet-fate":
        paths += ["/new", "/camera", "/dice", "/dice/cats", "/history", match, "/rules", "/rules/outback", "/enter"]
        paths += ["/dispute/", "/phone", "/dice/teach"]
    weights = {path: weight(visitor, path) for path in paths}
    print("\n".join(f"{game} {path} {kilobytes:.0f} kB" for path, kilobytes in weights.items()))
    assert [path for path, kilobytes in weights.items() if kilobytes > MOST] == []
