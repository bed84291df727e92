"""Where the pages are served, who may act on them, and what the terminal says about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cli.options import grouped
from table.settings import PORT
from web.network.addresses import is_loopback

if TYPE_CHECKING:
    from web.network.certificate import LocalCertificate
    from web.settings import WebSettings

THIS_COMPUTER = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
ANY = ("0.0.0.0", "::")
"""Hosts that mean every network this computer is in."""


@dataclass(frozen=True, slots=True)
class Binding:
    """The address to listen on, and what follows from who can reach it."""

    host: str
    port: int
    settings: WebSettings
    certificate: LocalCertificate | None

    def told(self, address: str) -> str:
        """What the terminal says when the pages are served at `address` on this computer."""
        from web.network.addresses import in_address
        from web.network.qr import terminal
        from web.pin import is_hashed

        lines = [f"{address}  (Ctrl-C ends it)"]
        pin, around = self.settings.pin, self.settings.neighbourhood
        port = address.rstrip("/").rpartition(":")[2]
        if around is not None:
            there = [f"http://{in_address(one)}:{port}/" for one in around.addresses]
            if not there:
                lines.append("No network was found: nobody else can reach it now.")
            else:
                lines.append(f"Everyone in this network can watch it: {' or '.join(there)}")
        if pin is not None:
            which = "the one you chose" if is_hashed(pin) else pin
            lines.append(f"The host's PIN is {which}. A device that has not entered it only watches.")
            lines.append(f"On this computer, open {address}enter#{self.settings.link} to enter it.")
        if around is not None and around.addresses and pin is not None:
            invitation = f"https://{in_address(around.addresses[0])}:{port}/enter#{self.settings.link}"
            lines += ["", terminal(invitation), f"The host's phone or tablet scans this: {invitation}"]
            lines.append(
                "Its browser warns once that it does not know the certificate: this computer made it; go on."
            )
        return "\n".join(lines)


def binding(
    host: str = THIS_COMPUTER, port: int = PORT, lan: bool = False, pin: str | None = None, own_turn: bool = False
) -> Binding:
    """The access requested on the command line. A PIN is required as soon as other devices in the network can connect.

    Args:
        host: the address to listen on.
        port: the first port to try.
        lan: listen on every network this computer is in.
        pin: the host's PIN or its hash; empty for a random one, None for none.
        own_turn: players' devices act in their own turn only.

    Raises:
        ValueError: the PIN is invalid.
        OSError: the certificate cannot be written.
    """
    from files.folders import tables_folder
    from web.access import new_link
    from web.network.addresses import Neighbourhood, lan_addresses
    from web.network.certificate import LocalCertificate
    from web.pin import checked_pin, is_hashed, new_pin
    from web.settings import WebSettings, hosts_for

    host = EVERYWHERE if lan and is_loopback(host) else host
    others = not is_loopback(host)
    asked_for = None
    if others or pin is not None:
        asked_for = new_pin() if not pin else pin if is_hashed(pin) else checked_pin(pin)
    around, certificate = None, None
    if others:
        around = Neighbourhood(lan_addresses if host in ANY else lambda: (host,))
        certificate = LocalCertificate(tables_folder(), lambda: (*around.addresses, *around.names))
    settings = WebSettings(
        hosts=hosts_for(THIS_COMPUTER if host in ANY else host),
        pin=asked_for,
        pin_drawn=not pin,
        link=new_link() if asked_for is not None else None,
        own_turn=own_turn,
        neighbourhood=around,
        devices=tables_folder() / "devices.db" if asked_for is not None else None,
    )
    return Binding(host, port, settings, certificate)


listening = grouped(
    "bound", binding,
    click.option(
        "--players-correct-own/--players-correct-all", "own_turn",
        help="Players can only play and correct their own turns; the host can change this.",
    ),
    click.option(
        "--pin", is_flag=False, flag_value="", metavar="[PIN]", envvar="TABLESIDE_PIN",
        help="Require a PIN to play: this one, or a random one. With --lan a PIN is always required.",
    ),
    click.option(
        "--lan/--no-lan",
        help="Let phones, tablets and televisions on your network watch; to play they need the PIN.",
    ),
    click.option(
        "--port", type=click.IntRange(1, 65535), default=PORT, show_default=True,
        help="The port to listen on; if it is busy, the next free one.",
    ),
    click.option(
        "--host", default=THIS_COMPUTER, show_default=True,
        help="The address to listen on.",
    ),
)  # fmt: skip
"""Where the pages are served, on this computer alone unless asked otherwise: the command gets it as `bound`."""
