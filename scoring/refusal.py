"""Errors about what people did, which can be said in every language."""

from __future__ import annotations

from scoring.language import Speaker
from scoring.message import Message, Plain
from scoring.phrases.en import ENGLISH


class RefusalError(ValueError):
    """Something people said or did that cannot be; `message` is why, `str()` the same in English.

    It is put into words only when somebody asks: the rules refuse a thousand moves nobody hears of.
    """

    def __init__(self, template: str | Message, /, **values: Plain) -> None:
        """`template` is one plain clause without a full stop, `values` fill it in (`scoring.message`)."""
        super().__init__(template)
        self.message = template if isinstance(template, Message) else Message(template, tuple(values.items()))

    def __str__(self) -> str:
        """In English."""
        return english(self.message)


def english(said: Message) -> str:
    """A message in English, ids as they are but for their dashes."""
    return Speaker(ENGLISH, (), {}).tell(said)
