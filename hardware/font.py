"""The scoreboard's letters: a small proportional font for 8-pixel columns, and shapes for seven segments.

The one source of both: `tools/firmware_font.py` writes them into the firmware, `hardware.picture` draws with them.
Drawn for Tableside (CC0 1.0). Capitals and digits are seven pixels high, small letters five; the eighth row is for
descenders and cedillas, the top two rows of a letter five high carry its accents.
"""

from __future__ import annotations

ROWS = 8
"""Pixels in a column; bit 0 is the top one."""

DRAWN = """
! " # % & ' ( ) + , - . / : ;
# #.# .#.#. #..# .#.. # .# #. ... .. ... . ..# . .
# #.# .#.#. ...# #.#. # #. .# ... .. ... . ..# . .
# ... ##### ..#. #.#. . #. .# .#. .. ... . .#. # #
# ... .#.#. ..#. .#.. . #. .# ### .. ### . .#. . .
# ... ##### .#.. #.#. . #. .# .#. .. ... . .#. . .
. ... .#.#. #... #.#. . #. .# ... .# ... . #.. # #
# ... .#.#. #..# .#.# . .# #. ... .# ... # #.. . #
. ... ..... .... .... . .. .. ... #. ... . ... . #

0 1 2 3 4 5 6 7 8 9
### .#. ### ### #.# ### ### ### ### ###
#.# ##. ..# ..# #.# #.. #.. ..# #.# #.#
#.# .#. ..# ..# #.# #.. #.. ..# #.# #.#
#.# .#. ### ### ### ### ### .#. ### ###
#.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
#.# .#. #.. ..# ..# ..# #.# .#. #.# ..#
### ### ### ### ..# ### ### .#. ### ###
... ... ... ... ... ... ... ... ... ...

A B C D E F G H I J K L M
.##. ###. .##. ###. #### #### .##. #..# ### ...# #..# #... #...#
#..# #..# #..# #..# #... #... #..# #..# .#. ...# #..# #... ##.##
#..# #..# #... #..# #... #... #... #..# .#. ...# #.#. #... #.#.#
#### ###. #... #..# ###. ###. #.## #### .#. ...# ##.. #... #.#.#
#..# #..# #... #..# #... #... #..# #..# .#. ...# #.#. #... #...#
#..# #..# #..# #..# #... #... #..# #..# .#. #..# #..# #... #...#
#..# ###. .##. ###. #### #... .### #..# ### .##. #..# #### #...#
.... .... .... .... .... .... .... .... ... .... .... .... .....

N O P Q R S T U V W X Y Z
#..# .##. ###. .##. ###. .### ##### #..# #...# #...# #..# #...# ####
##.# #..# #..# #..# #..# #... ..#.. #..# #...# #...# #..# #...# ...#
##.# #..# #..# #..# #..# #... ..#.. #..# #...# #...# #..# .#.#. ...#
#.## #..# ###. #..# ###. .##. ..#.. #..# #...# #.#.# .##. ..#.. .##.
#.## #..# #... #..# #.#. ...# ..#.. #..# .#.#. #.#.# #..# ..#.. #...
#..# #..# #... #.#. #..# ...# ..#.. #..# .#.#. ##.## #..# ..#.. #...
#..# .##. #... .#.# #..# ###. ..#.. .##. ..#.. #...# #..# ..#.. ####
.... .... .... .... .... .... ..... .... ..... ..... .... ..... ....

a b c d e f g h i j k l m
.... #... ... ...# .... .## .... #... # .# #.. #. .....
.... #... ... ...# .... .#. .... #... . .. #.. #. .....
.##. ###. .## .### .##. ### .### ###. # .# #.# #. ####.
...# #..# #.. #..# #..# .#. #..# #..# # .# #.# #. #.#.#
.### #..# #.. #..# #### .#. #..# #..# # .# ##. #. #.#.#
#..# #..# #.. #..# #... .#. .### #..# # .# #.# #. #.#.#
.### ###. .## .### .### .#. ...# #..# # .# #.# .# #.#.#
.... .... ... .... .... ... ###. .... . #. ... .. .....

n o p q r s t u v w x y z
.... .... .... .... ... ... ... .... ... ..... ... .... ...
.... .... .... .... ... ... .#. .... ... ..... ... .... ...
###. .##. ###. .### #.# .## ### #..# #.# #...# #.# #..# ###
#..# #..# #..# #..# ##. #.. .#. #..# #.# #...# #.# #..# ..#
#..# #..# #..# #..# #.. .#. .#. #..# #.# #.#.# .#. #..# .#.
#..# #..# ###. .### #.. ..# .#. #..# #.# #.#.# #.# .### #..
#..# .##. #... ...# #.. ##. ..# .### .#. .#.#. #.# ...# ###
.... .... #... ...# ... ... ... .... ... ..... ... ###. ...

$ * < = > ? @ [ \\ ] ^ _ ` { | } ~
.#. ... ..# ... #.. ##. .##. ## #.. ## .#. ... #. .## # ##. ....
### #.# ..# ... #.. ..# #..# #. #.. .# #.# ... .# .#. # .#. ....
#.. .#. .#. ### .#. ..# #.## #. .#. .# ... ... .. .#. # .#. .#.#
### #.# #.. ... ..# .#. #.## #. .#. .# ... ... .. #.. # ..# #.#.
..# ... .#. ### .#. .#. #... #. .#. .# ... ... .. .#. # .#. ....
### ... ..# ... #.. ... #..# #. ..# .# ... ... .. .#. # .#. ....
.#. ... ..# ... #.. .#. .##. ## ..# ## ... ### .. .## # ##. ....
... ... ... ... ... ... .... .. ... .. ... ... .. ... . ... ....

\u00df \u00c6 \u00e6 \u00d8 \u00f8
.##. .#### ..... ...#. .....
#..# #.#.. ..... .###. .....
#..# #.#.. ##.#. #..## .###.
#.#. ####. ..#.# #.#.# #..##
#..# #.#.. .#### #.#.# #.#.#
#..# #.#.. #.#.. ##..# ##..#
#.#. #.### .#.## .###. .###.
.... ..... ..... #.... .....
"""
"""Bands of glyphs: a line with their characters, then eight lines of pixels."""

SHORT = """
A E I N O U Y
.... .... ... .... .... .... ...
.... .... ... .... .... .... ...
.##. #### ### #..# #### #..# #.#
#..# #... .#. ##.# #..# #..# #.#
#### ###. .#. #.## #..# #..# .#.
#..# #... .#. #..# #..# #..# .#.
#..# #### ### #..# #### .##. .#.
.... .... ... .... .... .... ...
"""
"""Capitals five high, with room for an accent."""

ACCENTS = {
    "grave": {3: "#../.#.", 4: ".#../..#.", 5: ".#.../..#.."},
    "acute": {3: "..#/.#.", 4: "..#./.#..", 5: "...#./..#.."},
    "circumflex": {3: ".#./#.#", 4: ".##./....", 5: "..#../.#.#."},
    "tilde": {4: ".#.#/#.#."},
    "dots": {3: "#.#/...", 4: "#..#/....", 5: ".#.#./....."},
    "ring": {4: ".##./.##."},
}
"""The two rows above a letter, by the letter's width."""

ACCENTED = {
    "grave": "ÀÈÌÒÙàèìòù",
    "acute": "ÁÉÍÓÚÝáéíóúý",
    "circumflex": "ÂÊÎÔÛâêîôû",
    "tilde": "ÃÑÕãñõ",
    "dots": "ÄËÏÖÜäëïöüÿ",
    "ring": "Åå",
}
BASES = dict(
    zip("ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿ",
        "AAAAAACEEEEIIIINOOOOOUUUUYaaaaaaceeeeiiiinooooouuuuyy", strict=True)
)  # fmt: skip
"""The letter under each accent."""

ALIKE = {"Ð": "D", "ð": "d", "Þ": "P", "þ": "p", "×": "x", "÷": "/"}
"""Drawn like another character."""

CODES = (*range(0x20, 0x7F), *range(0xC0, 0x100))
"""Every character the board can show, in Latin-1."""

SEGMENTS = {
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg", "6": "acdefg", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", "A": "abcefg", "B": "cdefg", "C": "adef", "D": "bcdeg", "E": "adefg", "F": "aefg",
    "G": "acdef", "H": "bcefg", "I": "ef", "J": "bcde", "K": "acefg", "L": "def", "M": "abcef", "N": "ceg",
    "O": "cdeg", "P": "abefg", "Q": "abcfg", "R": "eg", "S": "acdfg", "T": "defg", "U": "bcdef", "V": "cde",
    "W": "bcdefg", "X": "bcefg", "Y": "bcdfg", "Z": "abdeg", "-": "g", "_": "d", "=": "dg", "?": "abeg", "!": "b",
    "'": "f", '"': "bf", "+": "efg", "/": "beg", "\\": "cfg", "(": "adef", ")": "abcd", "[": "adef", "]": "abcd",
    "|": "ef", "<": "deg", ">": "cdg", "^": "abf", "`": "f", "~": "g", ",": "c", ".": "c", ":": "dg", ";": "cg",
    "#": "bcefg", "$": "acdfg", "%": "beg", "&": "acdefg", "*": "abfg", "@": "abdefg", "{": "adef", "}": "abcd",
    "ß": "abcefg",
}  # fmt: skip
"""Lit segments, as their letters on every data sheet; small letters are their capitals."""

POINT = 0x80
"""The decimal point of a digit; below it the MAX7219's order: a is bit 6, g is bit 0."""


def _bands(drawn: str) -> dict[str, tuple[int, ...]]:
    """Character to columns, from bands of pixels."""
    glyphs: dict[str, tuple[int, ...]] = {}
    lines = [line.split() for line in drawn.splitlines() if line.strip()]
    for start in range(0, len(lines), ROWS + 1):
        names, *rows = lines[start : start + ROWS + 1]
        for name, *pixels in zip(names, *rows, strict=True):
            glyphs[name] = _columns(pixels)
    return glyphs


def _columns(rows: list[str]) -> tuple[int, ...]:
    return tuple(
        sum(1 << y for y, pixel in enumerate(column) if pixel == "#") for column in zip(*rows, strict=True)
    )


def _accented(letter: str, accent: str, short: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    """A letter five high with its accent in the two rows above."""
    base = BASES[letter]
    columns = short[base] if base.isupper() else (0, 0x7C, 0) if base == "i" else GLYPHS[base]
    marks = _columns(ACCENTS[accent][len(columns)].split("/"))
    return tuple(column | mark for column, mark in zip(columns, marks, strict=True))


GLYPHS: dict[str, tuple[int, ...]] = {" ": (0, 0), **_bands(DRAWN)}
"""Character to its columns, left to right; every character of `CODES` is here."""


def _complete() -> None:
    short = _bands(SHORT)
    for accent, letters in ACCENTED.items():
        for letter in letters:
            GLYPHS[letter] = _accented(letter, accent, short)
    for letter in "Çç":
        GLYPHS[letter] = tuple(
            column | (0x80 if place == 1 else 0) for place, column in enumerate(GLYPHS[BASES[letter]])
        )
    for letter, other in ALIKE.items():
        GLYPHS[letter] = GLYPHS[other]


_complete()


def segments(character: str) -> int:
    """The lit segments of one character of `CODES`, as a MAX7219 digit register takes them without decoding."""
    plain = ALIKE.get(character) or BASES.get(character) or character
    plain = {"Æ": "A", "æ": "A", "Ø": "O", "ø": "O"}.get(plain, plain)
    lit = SEGMENTS.get(plain if plain == "ß" else plain.upper(), "")
    return sum(1 << (6 - "abcdefg".index(segment)) for segment in lit)
