"""Passwords stand in one file that only its owner reads, and addresses stand everywhere else without them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from files.secrets import FILE, Kind, Secret, Secrets, SecretsError


@pytest.mark.parametrize(
    ("address", "bare"),
    [
        ("rtsp://ann:geheim@192.168.1.20/live", "rtsp://192.168.1.20/live"),
        ("rtsp://ann:geheim@192.168.1.20:8554/live", "rtsp://192.168.1.20:8554/live"),
        ("http://ann@camera.local", "http://camera.local"),
        ("http://[fd00::7]:81/geheim=1/live", "http://[fd00::7]:81/?secret=1"),
        ("http://192.168.1.20/shot.jpg?user=ann&pwd=geheim", "http://192.168.1.20/shot.jpg?secret=1"),
        ("http://192.168.1.20/shot.jpg#geheim", "http://192.168.1.20/shot.jpg?secret=1"),
        ("rtsp://192.168.1.20/user=ann_password=geheim_channel=1", "rtsp://192.168.1.20/?secret=1"),
        ("http://ann:geheim1@192.168.1.20/a/b;pw=geheim2/c?geheim3", "http://192.168.1.20/a/?secret=1"),
        ("mqtt://ann:ge%2Fheim%40@broker:1884/tableside/den", "mqtt://broker:1884/tableside/den"),
    ],
)
def test_an_address_is_kept_without_what_is_secret_and_is_whole_again_when_it_is_opened(
    tmp_path: Path, address: str, bare: str
):
    kind: Kind = "broker" if address.startswith("mqtt") else "camera"
    assert Secrets(tmp_path).keep_apart(kind, address) == bare
    assert Secrets(tmp_path).complete(kind, bare) == address
    assert "geheim" not in bare
    assert Secrets(tmp_path).keep_apart(kind, bare) == bare
    assert Secrets(tmp_path).complete(kind, bare) == address


@pytest.mark.parametrize(
    "address",
    ["0", "/dev/video0", "demo", "phone", "film.mp4", "C:\\film.mp4", "rtsp://192.168.1.20/live", "http://", ""],
)
def test_what_has_no_secret_makes_no_file(tmp_path: Path, address: str):
    assert Secrets(tmp_path / "data").keep_apart("camera", address) == address
    assert Secrets(tmp_path / "data").complete("camera", address) == address
    assert not (tmp_path / "data").exists()


def test_two_cameras_of_one_host_keep_their_own_ends(tmp_path: Path):
    addresses = [f"rtsp://192.168.1.20/user=ann_password=geheim_channel={channel}" for channel in (1, 2, 1)]
    bare = [Secrets(tmp_path).keep_apart("camera", address) for address in addresses]
    assert bare == ["rtsp://192.168.1.20/?secret=1", "rtsp://192.168.1.20/?secret=2", "rtsp://192.168.1.20/?secret=1"]
    assert [Secrets(tmp_path).complete("camera", one) for one in bare] == addresses


def test_the_file_is_its_owners_alone(tmp_path: Path):
    before = os.umask(0)
    try:
        Secrets(tmp_path / "data").keep_apart("camera", "rtsp://ann:geheim@192.168.1.20/live")
    finally:
        os.umask(before)
    if os.name != "nt":
        assert (tmp_path / "data" / FILE).stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FILE]


@pytest.fixture
def by_hand(tmp_path: Path) -> Path:
    """A file that somebody wrote, open to all."""
    (tmp_path / FILE).write_text(
        '[camera."192.168.1.20"]\nuser = "ann"\npassword = "geheim"\n\n[broker."broker.local"]\npassword = "other"\n'
    )
    (tmp_path / FILE).chmod(0o644)
    return tmp_path


def test_a_password_can_be_written_by_hand(by_hand: Path):
    secrets = Secrets(by_hand)
    assert secrets.complete("camera", "rtsp://192.168.1.20:8554/live") == "rtsp://ann:geheim@192.168.1.20:8554/live"
    assert secrets.complete("broker", "mqtt://broker.local") == "mqtt://:other@broker.local"
    assert secrets.complete("broker", "mqtt://192.168.1.20") == "mqtt://192.168.1.20"
    assert secrets.complete("camera", "rtsp://bob:his@192.168.1.20") == "rtsp://bob:his@192.168.1.20"
    if os.name != "nt":
        assert (by_hand / FILE).stat().st_mode & 0o777 == 0o600


def test_another_password_takes_the_place_of_the_one_before_and_others_stay(by_hand: Path):
    secrets = Secrets(by_hand)
    secrets.keep_apart("camera", "rtsp://ann:newer@192.168.1.20/live")
    assert secrets.complete("camera", "rtsp://192.168.1.20/live") == "rtsp://ann:newer@192.168.1.20/live"
    assert secrets.complete("broker", "mqtt://broker.local") == "mqtt://:other@broker.local"
    secrets.forget("camera", "192.168.1.20")
    assert secrets.complete("camera", "rtsp://192.168.1.20/live") == "rtsp://192.168.1.20/live"
    assert "newer" not in (by_hand / FILE).read_text()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("geheim", "not valid TOML"),
        ('[camera."h"]\npassword = "geheim', "not valid TOML"),
        ("\xff\xfe geheim", "not valid TOML"),
        ('[camera."h"]\npassword = 1234567', "cannot be used"),
        ('[camera."h"]\npasswort = "geheim"', "cannot be used"),
        ('[kamera."h"]\npassword = "geheim"', "cannot be used"),
        ('camera = "geheim"', "cannot be used"),
        ("# geheim" * 10_000, "larger than"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_line_that_repeats_nothing(
    tmp_path: Path, content: str, said: str
):
    (tmp_path / FILE).write_bytes(content.encode("latin-1"))
    for use in (Secrets(tmp_path).complete, Secrets(tmp_path).keep_apart):
        with pytest.raises(SecretsError, match=said) as refused:
            use("camera", "rtsp://ann:pw@h")
        assert "\n" not in str(refused.value)
        assert not any(part in str(refused.value) for part in ("geheim", "1234567"))
    assert (tmp_path / FILE).read_bytes() == content.encode("latin-1")


def test_an_end_that_is_not_kept_is_refused(by_hand: Path):
    with pytest.raises(SecretsError, match=r"no entry 3 for 192\.168\.1\.20"):
        Secrets(by_hand).complete("camera", "rtsp://192.168.1.20/?secret=3")


def test_a_secret_does_not_show_in_a_traceback():
    assert "geheim" not in f"{Secret('ann', 'geheim', ('?geheim',))!r} {Secret('ann', 'geheim')}"


Words = st.text("abcXYZ019-._~%:@/?#=&;+ ö", max_size=12)


@settings(deadline=None)  # each writes a file and waits for the disk
@given(user=Words, password=Words, path=Words, query=Words)
def test_no_secret_gets_lost_and_none_stays(
    tmp_path_factory: pytest.TempPathFactory, user: str, password: str, path: str, query: str
):
    secrets = Secrets(tmp_path_factory.mktemp("data"))
    address = f"http://{user}:{password}@192.168.1.20/{path}?{query}"
    bare = secrets.keep_apart("camera", address)
    whole = secrets.complete("camera", bare)
    assert secrets.keep_apart("camera", whole) == bare
    if bare != address:
        assert "@" not in bare
        assert bare.partition("?")[2] in ("", "secret=1")
        assert whole.endswith(address.rpartition("@")[2].removeprefix("192.168.1.20"))
