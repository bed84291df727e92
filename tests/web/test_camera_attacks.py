"""A camera's address as a way in: what another device types, and what a stream's other end sends."""

from __future__ import annotations

import http.server
import json
import os
import shutil
import socketserver
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest
from werkzeug.test import TestResponse

from cli.compose import House, furnish
from cli.outlets import Outlet
from cli.serving import ServeRequest, sit_down
from files.folders import tables_folder
from files.secrets import Secrets
from hardware.public_state import PublicNotice
from messages.message import message
from table.cameras.choice import CameraChoice, ChosenCamera
from table.cameras.typed import typed
from table.outlets import PublicOutput
from table.storage.store import Store
from tests.vision.test_camera import Driver
from tests.waiting import soon
from tests.web.tables import SCRIPTED, Blind, everything
from tests.web.test_camera_page import Pictures, table_picture
from vision.camera import CameraError, LiveCamera, VideoFile, camera_at
from vision.dicesets.library import find as find_set
from web.network.addresses import Neighbourhood
from web.settings import WebSettings

ELSEWHERE = {"REMOTE_ADDR": "192.168.7.20"}
OWN = "192.168.7.2"
JPEG = cv2.imencode(".jpg", np.full((120, 160, 3), 99, np.uint8))[1].tobytes()


@pytest.fixture
def house(lay: Callable[..., House]) -> House:
    """Watched; every device of the network may act, so that nothing but the address itself is what stops it."""
    around = Neighbourhood(lambda: (OWN,), ())
    made = lay(camera=Pictures(table_picture()), neighbourhood=around, choice=CameraChoice("0"), heartbeat=10.0)
    made.open()
    return made


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A video of this computer that is nobody's business."""
    path = tmp_path / "secret.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 25, (160, 120))
    for number in range(50):
        writer.write(np.full((120, 160, 3), 4 * number, np.uint8))
    writer.release()
    return path


def use(
    house: House, address: str | Path, sender: dict[str, str] = ELSEWHERE, headers: dict[str, str] = SCRIPTED
) -> TestResponse:
    """Typed at another device, which claims to ask for a page of this very computer."""
    typed = {"camera": "address", "address": str(address)}
    return house.app.test_client().post("/camera/use", data=typed, environ_base=sender, headers=headers)


def still(house: House) -> str:
    assert house.table.cameras is not None
    return house.table.cameras.view.name


def test_another_device_reads_no_file(house: House, secret: Path, monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []

    def noted(self: Path) -> bool:
        asked.append(str(self))
        return True

    monkeypatch.setattr(Path, "is_dir", noted)
    monkeypatch.setattr(Path, "is_file", noted)
    for address in (secret, secret.parent, "~", "/", "../..", "C:\\Users", "pictures", "/proc/self/cwd"):
        answer = use(house, address)
        assert (answer.status_code, answer.get_data(as_text=True)) == (
            422, "Choose files and folders on the table’s computer, not on another device.\n",
        )  # fmt: skip
    assert asked == [], "the disk is not even asked whether there is such a file"
    assert still(house) == "the webcam"


NO_ADDRESSES = (
        "file:///etc/passwd", "FILE:///etc/passwd", "concat://a|b", "data://x", "pipe://0", "udp://127.0.0.1:9",
        "subfile,,start,0,end,9,,:///etc/passwd", "gopher://x", "javascript://x", "://", "rtsp://", "http://",
        "http:///etc/passwd", "rtsp://a b/", "http://[::1", "http://h:99999/", "\x00http://h/", "http://h/\r\nX: y",
        "x" * 1001, "http://" + "h" * 2000, "/dev/../etc/passwd", "/dev/mem", "/dev/video0/../../etc/passwd",
)  # fmt: skip


def test_other_schemes_and_nonsense_are_no_camera(house: House):
    for address in NO_ADDRESSES:
        answer = use(house, address)
        assert (answer.status_code, answer.get_data(as_text=True).count("\n")) == (422, 1), address
    assert still(house) == "the webcam"


THIS_COMPUTER = (
    "127.0.0.1", "localhost", "127.1", "0.0.0.0", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254",
     OWN, "user:pw@127.0.0.1", "224.0.0.1", "[fe80::1]", "0.0.0.1", "0.1.2.3", "[2002:7f00:1::]",
     f"[2002:{0xC0A8:x}:{0x0702:x}::1]", "[64:ff9b::7f00:1]", f"[64:ff9b::{OWN}]", "[64:ff9b:1::127.0.0.1]",
     "[::127.0.0.1]", "[::ffff:0:127.0.0.1]", "[2001:0:53aa:64c:0:fffe:80ff:fffe]", "[fd00:1::5efe:7f00:1]",
     "[fd00:1::200:5efe:7f00:1]",
)  # fmt: skip


def test_another_device_cannot_point_the_camera_at_this_computer(house: House):
    for host in THIS_COMPUTER:
        answer = use(house, f"http://{host}:8080/stream")
        said = answer.get_data(as_text=True)
        assert answer.status_code == 422, host
        assert "not the table’s computer" in said or "not found" in said, host
    assert still(house) == "the webcam"


@pytest.mark.skipif(shutil.which("ip") is None, reason="iproute2 lists the addresses")
def test_every_address_of_every_interface_is_this_computers():
    """Its IPv6 addresses and bridges too, though the pages are not served there."""
    known = json.loads(
        subprocess.run(["ip", "-j", "address"], capture_output=True, check=True, text=True).stdout
    )
    every = [info["local"] for one in known for info in one["addr_info"]]
    assert every
    for own in every:
        host = f"[{own}]" if ":" in own else own
        with pytest.raises(ValueError, match="not the table’s computer"):
            typed(f"http://{host}:8080/", here=False)
    assert typed("rtsp://[fd00:5::30]/live", here=False).source == "rtsp://[fd00:5::30]/live"


def test_a_name_that_leads_elsewhere_the_second_time_is_pinned():
    """DNS rebinding: what is looked at is what is opened."""
    answers = iter([["192.168.7.30"], ["127.0.0.1"]])
    chosen = typed("rtsp://u:p@cam.example:554/live", here=False, resolves=lambda host, port: next(answers))
    assert chosen == CameraChoice("rtsp://192.168.7.30:554/live", strict=True)
    assert camera_at(chosen.source).name == "rtsp://192.168.7.30:554/live"
    assert Secrets(tables_folder()).complete("camera", chosen.source) == "rtsp://u:p@192.168.7.30:554/live"
    with pytest.raises(ValueError, match="not the table’s computer"):
        typed("rtsp://cam.example/live", here=False, resolves=lambda host, port: next(answers))
    both = ["192.168.7.30", "127.0.0.1"]
    with pytest.raises(ValueError, match="not the table’s computer"):
        typed("rtsp://cam.example/live", here=False, resolves=lambda host, port: both)


def test_a_request_that_was_handed_on_is_not_this_computers(house: House, secret: Path):
    """A proxy in front makes every sender look local."""
    for header in ("X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"):
        assert use(house, secret, {}, {**SCRIPTED, header: "127.0.0.1"}).status_code == 422
    assert still(house) == "the webcam"
    assert use(house, secret, {}).status_code == 204, "at this computer a file may be chosen"
    assert still(house) == "secret.mp4"


# --- what the other end of a stream sends


@dataclass
class Other:
    """A server that a camera's address leads to."""

    port: int = 0
    asked: list[str] = field(default_factory=list[str])
    answers: dict[str, tuple[int, dict[str, str], bytes]] = field(
        default_factory=dict[str, tuple[int, dict[str, str], bytes]]
    )


@pytest.fixture
def other() -> Iterator[Other]:
    told = Other()

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None: ...

        def do_GET(self) -> None:
            told.asked.append(self.path)
            status, headers, body = told.answers.get(self.path, (200, {}, b""))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                if self.path == "/stream":
                    for _ in range(200):
                        self.wfile.write(
                            b"--b\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(JPEG)
                        )
                        self.wfile.write(JPEG + b"\r\n")
                        time.sleep(0.03)
                else:
                    self.wfile.write(body)
            except OSError:
                pass

    class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as server:
        told.port = server.server_address[1]
        told.answers["/stream"] = (200, {"Content-Type": "multipart/x-mixed-replace; boundary=b"}, b"")
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield told
        server.shutdown()
        thread.join(5)


def opens(address: str, *, strict: bool) -> bool:
    """Whether a stream at this address gives a picture."""
    camera = LiveCamera(address, strict=strict)
    try:
        camera.open()
        return camera.read() is not None
    except CameraError:
        return False
    finally:
        camera.close()


@pytest.mark.parametrize("strict", [False, True])
def test_a_stream_gives_pictures(other: Other, strict: bool):
    assert opens(f"http://127.0.0.1:{other.port}/stream", strict=strict)


@pytest.mark.parametrize("strict", [False, True])
def test_a_stream_cannot_name_a_file_of_this_computer(other: Other, secret: Path, strict: bool):
    playlist = f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfile://{secret}\n#EXT-X-ENDLIST\n"
    other.answers["/list.m3u8"] = (200, {"Content-Type": "application/vnd.apple.mpegurl"}, playlist.encode())
    concat = f"ffconcat version 1.0\nfile '{secret}'\n"
    other.answers["/list"] = (200, {"Content-Type": "text/plain"}, concat.encode())
    other.answers["/moved"] = (302, {"Location": f"file://{secret}"}, b"")
    for path in ("/list.m3u8", "/list", "/moved"):
        assert not opens(f"http://127.0.0.1:{other.port}{path}", strict=strict)
    with pytest.raises(CameraError):
        LiveCamera(f"file://{secret}").open()
    camera = VideoFile(secret, paced=False)  # as a video at this computer it is one all the same
    camera.open()
    assert camera.read() is not None
    camera.close()


def test_a_stream_another_device_named_goes_nowhere_else(other: Other):
    there = f"http://127.0.0.1:{other.port}"
    other.answers["/moved"] = (302, {"Location": f"{there}/stream"}, b"")
    playlist = f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{there}/inner.ts\n#EXT-X-ENDLIST\n"
    other.answers["/list.m3u8"] = (200, {"Content-Type": "application/vnd.apple.mpegurl"}, playlist.encode())
    assert not opens(f"{there}/moved", strict=True)
    assert not opens(f"{there}/list.m3u8", strict=True)
    assert set(other.asked) == {"/moved", "/list.m3u8"}
    assert opens(f"{there}/moved", strict=False), "named at this computer, a stream may move"


@pytest.mark.slow
@pytest.mark.parametrize(
    "address",
    [
        "http://ann:Geheim1@192.168.7.30/live?user=ann&pwd=Geheim2",
        "http://192.168.7.30/live?token=Geheim1",
        "rtsp://192.168.7.30/user=ann_password=Geheim1_channel=1",
    ],
)
def test_a_cameras_password_is_shown_nowhere(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
):  # fmt: skip
    """Not to the host's device either: every page, the streams, what goes to a broker, the log, the terminal."""
    monkeypatch.setenv("TABLESIDE_DATA", str(tmp_path / "data"))
    driver, published = Driver(ends_after=3), list[PublicNotice]()

    class Broker:
        words, on_change = message(""), staticmethod(lambda: None)

        def close(self) -> None: ...

    told = Outlet(Broker(), PublicOutput(published.append).tell, lambda port: None)
    house = furnish(
        LiveCamera(address, opener=lambda _: driver), game="meet-fate", dice_set=find_set("fate"),
        players=["Alice", "Bob"], reader=Blind(), choice=CameraChoice(address), outlets=(told,),
        settings=WebSettings(
            heartbeat=0.01, picture_wait=0.01, pin="314159", neighbourhood=Neighbourhood(lambda: (OWN,), ())
        ),
    )  # fmt: skip
    house.open()
    assert soon(lambda: any("192.168.7.30" in one.sentence for one in published), 20), published
    host, watcher = house.app.test_client(), house.app.test_client()
    assert host.post("/enter", data={"code": "314159"}).status_code == 303
    shown = [repr(published)]
    for client in (host, watcher):
        shown += [told for _path, told in everything(client, house.table.session.store.id)]
    for wrong in (address.replace("://", ":/"), address.replace("192", "[192"), f"x{address}", f"{address} x"):
        for sender in (ELSEWHERE, {"REMOTE_ADDR": "127.0.0.1"}):
            typed = {"camera": "address", "address": wrong}
            answer = host.post("/camera/use", data=typed, environ_base=sender, headers=SCRIPTED)
            assert answer.status_code in (409, 422)
            shown.append(answer.get_data(as_text=True))
    house.close()
    assert "192.168.7.30" in "".join(shown)
    assert [one for one in (*shown, caplog.text, *capfd.readouterr()) if "Geheim" in one] == []


def test_files_that_hold_a_password_are_their_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The store's files too, while they are open; what an earlier version left open to all is closed."""
    data = tmp_path / "data"
    monkeypatch.setenv("TABLESIDE_DATA", str(data))
    data.mkdir(mode=0o755)
    (data / "tables.db").touch(mode=0o644)
    before = os.umask(0o022)
    try:
        sitting = sit_down(
            ServeRequest(None, None, None, None, again=False, url=None, place=""),
            {"camera": "http://ann:Geheim1@192.168.7.30/live"},
        )
        ChosenCamera(data).keep(CameraChoice("http://ann:Geheim1@192.168.7.30/live"))
    finally:
        os.umask(before)
    holding = [one for one in data.iterdir() if one.is_file() and b"Geheim1" in one.read_bytes()]
    assert {"tables.db-wal", "camera.json"} <= {one.name for one in holding}
    assert {one.stat().st_mode & 0o777 for one in data.iterdir() if one.is_file()} == {0o600}
    assert data.stat().st_mode & 0o777 == 0o700
    sitting.kept.store.store.close()


def test_a_data_folder_that_everybody_shares_is_left_open(tmp_path: Path):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    Store.of(shared).close()
    assert shared.stat().st_mode & 0o7777 == 0o1777
    assert (shared / "tables.db").stat().st_mode & 0o777 == 0o600
