"""Television and Spectator: pages that follow the table and have nothing to operate."""

from __future__ import annotations

from flask import Blueprint, render_template

from table.table import Table
from web.announcer import Announcer
from web.language import current
from web.written import shown_board


def add_onlookers(views: Blueprint, table: Table, announcer: Announcer) -> None:
    """Add these views to the dashboard's."""

    @views.get("/television")
    def television() -> str:
        """For across the room: whose turn, the dice, the scores, the last sentence."""
        return page("television.html")

    @views.get("/spectator")
    def spectator() -> str:
        """For a phone that only looks on."""
        return page("spectator.html")

    def page(template: str) -> str:
        latest = table.session.latest().told(current())
        return render_template(
            template,
            s=latest.standing,
            b=shown_board(table, latest.standing),
            number=latest.number,
            sentence=announcer.said(current()),
        )
