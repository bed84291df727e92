"""Writes `set.toml` of a dice set of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from vision.dicesets.model import Credit, DiceSet, spoken_key
from vision.dicesets.shapes import Shape


@dataclass(frozen=True, slots=True)
class FaceNote:
    """What is known of a face beside its pictures."""

    id: str
    labels: Mapping[str, str] = field(default_factory=dict[str, str])
    value: int | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetNote:
    """Everything that stands in a `set.toml`."""

    id: str
    title: Mapping[str, str]
    shapes: tuple[Shape, ...]
    faces: tuple[FaceNote, ...]
    nets: Mapping[Shape, tuple[str, ...]] = field(default_factory=dict[Shape, tuple[str, ...]])
    marks: tuple[tuple[str, ...], ...] = ()
    """Groups of faces that need a mark to be told apart: 6 and 9."""
    credits: tuple[Credit, ...] = ()
    art_scales: Mapping[str, float] = field(default_factory=dict[str, float])
    """Picture name → scale of its art."""
    printed: str = ""

    @classmethod
    def of(cls, dice_set: DiceSet, set_id: str | None = None) -> SetNote:
        """What a set that is there says about itself."""
        scales: dict[str, float] = {}
        for face in dice_set.faces:
            for picture in face.pictures:
                if picture.kind == "art":
                    scales[picture.path.stem] = picture.scale
        return cls(
            id=set_id or dice_set.id,
            title=dice_set.title,
            shapes=dice_set.shapes,
            faces=tuple(FaceNote(f.id, f.labels, f.value, f.aliases) for f in dice_set.faces),
            # A net that every face is on once goes without saying, and another face may yet be added.
            nets={shape: net for shape, net in dice_set.nets.items() if net != _all_faces(dice_set, shape)},
            marks=dice_set.marks,
            credits=dice_set.attribution,
            art_scales=scales,
            printed=dice_set.printed,
        )


def _all_faces(dice_set: DiceSet, shape: Shape) -> tuple[str, ...]:
    return tuple(face.id for face in dice_set.faces_for(shape))


def set_toml(note: SetNote) -> str:
    """The text of `set.toml`."""
    lines = ["version = 1", f"id = {_text(note.id)}", f"shapes = {_list(note.shapes)}"]
    if note.printed:
        lines.append(f"printed = {_text(note.printed)}")
    if note.marks:
        lines.append(f"marks = [{', '.join(_list(group) for group in note.marks)}]")
    scales = sorted(set(note.art_scales.values()))
    if len(scales) == 1:
        lines.append(f"art_scale = {scales[0]}")
    lines += ["", "[title]", *_pairs(note.title)]
    if len(scales) > 1:
        lines += ["", "[art_scale]", *(f"{_text(name)} = {scale}" for name, scale in note.art_scales.items())]
    if note.nets:
        lines += ["", "[nets]", *(f"{shape} = {_list(net)}" for shape, net in note.nets.items())]
    for face in note.faces:
        lines += ["", "[[faces]]", f"id = {_text(face.id)}"]
        if face.value is not None:
            lines.append(f"value = {face.value}")
        if face.labels:
            lines.append(f"labels = {{ {', '.join(_pairs(face.labels))} }}")
        if face.aliases:
            lines.append(f"also = {_list(face.aliases)}")
    for credit in note.credits:
        lines += ["", "[[attribution]]", f"work = {_text(credit.work)}", f"author = {_text(credit.author)}"]
        lines += [f"licence = {_text(credit.licence)}", f"source = {_text(credit.source)}"]
    return "\n".join(lines) + "\n"


def _pairs(texts: Mapping[str, str]) -> list[str]:
    return [f"{_text(language)} = {_text(text)}" for language, text in texts.items()]


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _text(text: str) -> str:
    """A basic string of TOML 1.0: quotes, backslashes and control characters escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(s if s >= " " and s != "\x7f" else f"\\u{ord(s):04x}" for s in escaped) + '"'


def note_like(note: SetNote, other: DiceSet) -> SetNote:
    """The same note with labels, values and aliases of faces that another set has, where none were given."""
    known = {spoken_key(face.id): face for face in other.faces}
    faces: list[FaceNote] = []
    for face in note.faces:
        like = known.get(spoken_key(face.id))
        if like is None:
            faces.append(face)
            continue
        value = face.value if face.value is not None else like.value
        faces.append(FaceNote(face.id, {**like.labels, **face.labels}, value, face.aliases or like.aliases))
    return replace(note, faces=tuple(faces), title=note.title or other.title)
