"""The host's PIN: what may be one, and its hash, which is all that the settings keep of it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

DIGITS: Final = 6
"""Digits in a code that we make up; guesses are slowed down (`web.network.throttle`)."""

SHORTEST_PIN: Final = 4
LONGEST_CODE: Final = 40
"""Longest code that is checked, in characters."""

HASHED: Final = "scrypt$"
"""Prefix of a hash, which is longer than any PIN, so that nobody can enter it as one."""


def new_pin() -> str:
    """Random digits."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def checked_pin(pin: str) -> str:
    """A PIN that somebody chose. Raises ValueError if it is too easy to guess or cannot be typed."""
    bare = bare_code(pin)
    if not SHORTEST_PIN <= len(bare) <= LONGEST_CODE or not bare.isascii() or not bare.isprintable():
        raise ValueError(f"expected a PIN of {SHORTEST_PIN} to {LONGEST_CODE} letters or digits, got {pin!r}")
    if len(set(bare)) == 1:
        raise ValueError("expected a PIN that is not one character again and again")
    return bare


def bare_code(typed: str) -> str:
    """A code without the spaces and dashes that people put between its characters."""
    return "".join(typed.split()).replace("-", "")


def hashed_pin(pin: str, salt: bytes | None = None) -> str:
    """The hash of a PIN, slow to compute (RFC 7914), so that nobody can quickly recover the PIN from it."""
    salt = salt or secrets.token_bytes(16)
    hashed = hashlib.scrypt(pin.encode(), salt=salt, n=2**14, r=8, p=1)
    return f"{HASHED}{salt.hex()}${hashed.hex()}"


def is_hashed(pin: str) -> bool:
    """Whether this is a hash of ours, and not a PIN."""
    begin, _, rest = pin.partition("$")
    salt, _, hashed = rest.partition("$")
    return f"{begin}$" == HASHED and _hexadecimal(salt, 32) and _hexadecimal(hashed, 128)


def fits(pin: str, given: str) -> bool:
    """Whether this is the PIN, of which the hash may be all that is known. It takes as long whatever is given."""
    if not is_hashed(pin):
        return hmac.compare_digest(pin.encode(), given.encode())
    salt = bytes.fromhex(pin.split("$")[1])
    return hmac.compare_digest(pin, hashed_pin(given, salt))


def _hexadecimal(text: str, length: int) -> bool:
    return len(text) == length and all(sign in "0123456789abcdef" for sign in text)
