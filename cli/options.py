"""Options that several commands share, given to each command as one record."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def grouped(name: str, make: Callable[..., object], *options: Decorator) -> Decorator:
    """Adds options to a command, which gets what `make` makes of them as the argument `name`."""
    given = tuple(inspect.signature(make).parameters)

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_record(**values: Any) -> Any:
            return command(**{name: make(**{one: values.pop(one) for one in given})}, **values)

        decorated: Callable[..., Any] = with_record
        for option in options:
            decorated = option(decorated)
        return decorated

    return decorate
