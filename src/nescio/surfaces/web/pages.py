"""What do browsers load? The page, and the script of the widget, which is put together from its parts once."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from nescio.domain.release import VERSION

WIDGET_PATH = "/nescio-ask.js"
STYLES = ("themes.css", "widget.css")
# In the order in which they need one another: each is part of one function, so that nothing leaks into the page around it.
SCRIPTS = (
    "words.js",
    "nodes.js",
    "asking.js",
    "blocks.js",
    "quote.js",
    "answer.js",
    "refusal.js",
    "searchbox.js",
    "element.js",
)

# Comments on lines of their own, and indentation: they are for those who read the parts, and a tenth of what is sent.
NOT_SENT = re.compile(r"^ *//[^\n]*\n|^ */\*.*?\*/\n|^ +|^\n", re.MULTILINE | re.DOTALL)

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
ALWAYS_ASK = "no-cache"  # a page and its parts belong to one release: a browser asks whether its copy is the newest
TEN_MINUTES = "public, max-age=600, stale-while-revalidate=86400"  # other sites load the widget on each of their pages
JAVASCRIPT = "text/javascript; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent: plain, and compressed for those who take it."""

    content: bytes
    compressed: bytes
    headers: tuple[tuple[str, str], ...]
    etag: str


def routes() -> list[Route]:
    """The routes of the page at `/` and of the widget. The files are read once, here."""
    folder = files("nescio.surfaces.web").joinpath("assets")
    return [
        _route("/", _asset(folder, "index.html", "text/html; charset=utf-8", ("content-security-policy", POLICY))),
        _route("/assets/page.css", _asset(folder, "page.css", "text/css; charset=utf-8")),
        _route("/assets/page.js", _asset(folder, "page.js", JAVASCRIPT)),
        _route("/assets/icon.svg", _asset(folder, "icon.svg", "image/svg+xml")),
        _route(WIDGET_PATH, _made(widget(), JAVASCRIPT, TEN_MINUTES, ("cross-origin-resource-policy", "cross-origin"))),
    ]


def widget() -> bytes:
    """The widget as one script, which works as a classic one and as a module."""
    folder = files("nescio.surfaces.web").joinpath("assets", "widget")
    style = json.dumps("".join(_part(folder, name) for name in STYLES))
    scripts = "".join(_part(folder, name) for name in SCRIPTS)
    return f'/*! nescio {VERSION}, Apache-2.0 */\n(() => {{\n"use strict";\nconst STYLE = {style};\n{scripts}}})();\n'.encode()


def _part(folder: Traversable, name: str) -> str:
    return NOT_SENT.sub("", folder.joinpath(name).read_text("utf-8"))


def _asset(folder: Traversable, name: str, media_type: str, *headers: tuple[str, str]) -> Asset:
    return _made(folder.joinpath(name).read_bytes(), media_type, ALWAYS_ASK, *headers)


def _made(content: bytes, media_type: str, cache: str, *headers: tuple[str, str]) -> Asset:
    told = (("content-type", media_type), ("cache-control", cache), ("vary", "Accept-Encoding"), *headers)
    # Weak: the same words, compressed or not.
    return Asset(content, gzip.compress(content, mtime=0), told, f'W/"{hashlib.sha256(content).hexdigest()[:32]}"')


def _route(path: str, asset: Asset) -> Route:
    return Route(path, partial(_answer, asset=asset), methods=["GET"], include_in_schema=False)


async def _answer(request: Request, asset: Asset) -> Response:
    headers = {**dict(asset.headers), "etag": asset.etag}
    if _has_newest(request.headers.get("if-none-match", ""), asset.etag):
        return Response(status_code=304, headers=headers)
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(asset.content, headers=headers)
    return Response(asset.compressed, headers={**headers, "content-encoding": "gzip"})


def _has_newest(told: str, etag: str) -> bool:
    return any(one.strip().removeprefix("W/") == etag.removeprefix("W/") for one in told.split(","))
