"""The sites and how each of them lays out a page; a layout is a template and the markup of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from string import Template

from dedup.sample import templates


@dataclass(frozen=True)
class Layout:
    """One site.

    Attributes:
        site: host name; also the folder of its pages.
        name: what it calls itself, in every language.
        path: where a page lies; ``{lang}``, ``{year}``, ``{month}``, ``{number}`` are filled in.
        page: the template; see :mod:`dedup.sample.templates`.
        items: number of menu items.
        item: markup of a menu item, with ``{href}`` and ``{label}``.
        between: what stands between menu items.
        paragraph: markup of a paragraph, with ``{text}``.
        latest: markup of a link in the box of links; empty where the site has no box.
    """

    site: str
    name: str
    path: str
    page: Template
    items: int
    item: str
    between: str
    paragraph: str
    latest: str = ""


LAYOUTS = (
    Layout(
        "harbour-news.example",
        "Harbour News",
        "{lang}/{year}/{month:02}/story-{number}.html",
        templates.SECTIONS,
        6,
        '<li><a href="{href}">{label}</a></li>',
        "\n",
        "<p>{text}</p>\n",
        '<li><a href="{href}">{label}</a></li>\n',
    ),
    Layout(
        "county-herald.example",
        "County Herald",
        "{lang}/archive/{number}.html",
        templates.TABLES,
        5,
        '<td class="m"><a href="{href}"><font size="2">{label}</font></a></td>',
        "",
        '<p align="justify">{text}\n',
    ),
    Layout(
        "greenleaf-post.example",
        "Greenleaf Post",
        "{lang}/{year}{month:02}-{number}.html",
        templates.BREAKS,
        4,
        '<a href="{href}">{label}</a>',
        " | ",
        "{text}<br><br>\n",
    ),
    Layout(
        "metro-digest.example",
        "Metro Digest",
        "{lang}/read/{number}/index.html",
        templates.NESTED,
        5,
        '<div class="nav-i"><span><a href="{href}">{label}</a></span></div>',
        "",
        '<div class="par"><div class="in">{text}</div></div>\n',
        '<div class="card"><a href="{href}"><span>{label}</span></a></div>\n',
    ),
    Layout(
        "river-weekly.example",
        "River Weekly",
        "{lang}/issue-{month}/{number}.html",
        templates.LISTS,
        6,
        '<dd><a href="{href}">{label}</a></dd>',
        "",
        "<li>{text}</li>\n",
    ),
    Layout(
        "open-shelf.example",
        "Open Shelf",
        "{lang}/{number}.html",
        templates.ROWS,
        4,
        '<th><a href="{href}">{label}</a></th>',
        "",
        "<tr><td>&nbsp;</td><td>{text}</td></tr>\n",
    ),
    Layout(
        "market-square.example",
        "Market Square",
        "{lang}/ads/{year}/{number}.html",
        templates.FIELDS,
        5,
        '<option value="{href}">{label}</option>',
        "",
        "<p><span>{text}</span></p>\n",
    ),
    Layout(
        "lantern-forum.example",
        "Lantern Forum",
        "{lang}/thread/{number}.html",
        templates.POSTS,
        5,
        '<a class="tab" href="{href}"><b>{label}</b></a>',
        " &#183; ",
        "<blockquote><p>{text}</p></blockquote>\n",
        '<p class="also"><a href="{href}">{label}</a></p>\n',
    ),
)
