"""QR codes of addresses: as SVG for pages, as half blocks for a terminal."""

from __future__ import annotations

import segno
from markupsafe import Markup

QUIET = 2
"""Modules of light around a code in a terminal; the standard asks for four, phones do with two."""


def svg(address: str) -> Markup:
    """A code as SVG: dark on light in every theme, and without a style of its own (the content policy allows none)."""
    code = segno.make(address, error="m")
    drawn = code.svg_inline(
        scale=6, border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None
    )
    return Markup(drawn)  # segno writes numbers only: the address is in the modules


def terminal(address: str) -> str:
    """A code in lines of characters, two modules high each; light modules are drawn, for a dark terminal."""
    code = segno.make(address, error="l")
    rows = [[not dark for dark in row] for row in code.matrix_iter(border=QUIET)]
    if len(rows) % 2:
        rows.append([True] * len(rows[0]))
    blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(blocks[pair] for pair in zip(*both, strict=True)) for both in pairs)
