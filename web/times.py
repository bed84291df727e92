"""Times as people say them: "today 14:05", "12 November", "42 min". Never a row of figures with dashes."""

from __future__ import annotations

import datetime
import time

from flask import Flask
from markupsafe import Markup

from messages.message import N_
from web.language import current
from web.language import gettext as _

MONTHS = (
    N_("%(day)s January"), N_("%(day)s February"), N_("%(day)s March"), N_("%(day)s April"), N_("%(day)s May"),
    N_("%(day)s June"), N_("%(day)s July"), N_("%(day)s August"), N_("%(day)s September"), N_("%(day)s October"),
    N_("%(day)s November"), N_("%(day)s December"),
)  # fmt: skip


def clock(when: float) -> str:
    """A time in seconds since 1970 as the time of day."""
    return time.strftime("%H:%M", time.localtime(when))


def date(when: float, *, year: bool) -> str:
    """Day and month, with the year or without."""
    told = time.localtime(when)
    first = told.tm_mday == 1 and current() == "fr"  # the one day that French counts
    said = _(MONTHS[told.tm_mon - 1], day="1er" if first else told.tm_mday)
    return f"{said} {told.tm_year}" if year else said


def day(when: float, now: float | None = None) -> Markup:
    """A time as somebody says it `now`; the exact one is a pointer or a machine away."""
    told, today = time.localtime(when), time.localtime(now)
    ago = _days(today) - _days(told)
    if ago == 0:
        said = _("today %(time)s", time=clock(when))
    elif ago == 1:
        said = _("yesterday %(time)s", time=clock(when))
    else:
        said = date(when, year=told.tm_year != today.tm_year)
    exact = f"{date(when, year=True)}, {time.strftime('%H:%M:%S', told)}"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        time.strftime("%Y-%m-%dT%H:%M:%S%z", told), exact, said
    )


def lasted(seconds: float) -> str:
    """How long something took, in minutes and hours."""
    hours, minutes = divmod(max(1, round(seconds / 60)), 60)
    if not hours:
        return _("%(minutes)d min", minutes=minutes)
    if not minutes:
        return _("%(hours)d h", hours=hours)
    return _("%(hours)d h %(minutes)d min", hours=hours, minutes=minutes)


def _days(told: time.struct_time) -> int:
    """A running number of the day."""
    return datetime.date(told.tm_year, told.tm_mon, told.tm_mday).toordinal()


def add_times(app: Flask) -> None:
    """Give every template these filters."""
    for one in (clock, day, lasted):
        app.jinja_env.filters[one.__name__] = one
