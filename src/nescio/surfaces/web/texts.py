"""Serves the documents as text, for language models: the list of pages, all of them in one, and each alone."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from nescio.assembly.showing.page_texts import PageText, PageTexts, readers_told_apart, rows
from nescio.errors import BusyFault, NotFoundFault, UsageFault
from nescio.surfaces.llms.places import LIST, WHOLE, served_link, served_path
from nescio.surfaces.llms.texts import Heading, list_text, name_of, whole_text
from nescio.surfaces.web.caching import Reply, reply_of, response
from nescio.surfaces.web.doors import VARY, Doors
from nescio.surfaces.web.problems import RequestFault
from nescio.surfaces.web.requests import SourcesQuery, from_query
from nescio.surfaces.web.troubles import problem_of_error
from nescio.surfaces.web.visits import visit_of
from nescio.surfaces.working import LARGEST_SHARE, Worker

if TYPE_CHECKING:
    from nescio.engine import Engine

PLAIN, MARKDOWN = "text/plain; charset=utf-8", "text/markdown; charset=utf-8"
MOST_BYTES = 64 * 1024 * 1024  # of all pages in one: what is larger is for a file server, not for memory
KEPT = 4  # lists: a version or a reader view each
MOST_WAITING = 8  # requests for lists that are being made
ATTEMPTS = 3  # to make a list while new indexes come in

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class _View:
    """Which part of the documents is told. `named` are the parameters of the request that say so."""

    version: str | None
    reader: tuple[str, ...]
    named: tuple[tuple[str, str], ...]

    def of(self, engine: Engine) -> Engine:
        """The engine over that part."""
        return engine.within(docs_version=self.version, reader_view=self.reader)

    def as_told_apart(self, engine: Engine) -> _View:
        """The same part under one name: nobody can have it made again and again for readers who are made up."""
        if not self.reader:
            return self
        reader = readers_told_apart(engine.within(docs_version=self.version), self.reader)
        version = [pair for pair in self.named if pair[0] == "version"]
        shown = reader if len(version) < len(self.named) else ()
        return _View(self.version, reader, (*version, *(("reader_view", one) for one in shown)))


@dataclass(frozen=True, slots=True)
class _Made:
    """The list, and all pages in one; None where that is too large."""

    list: Reply
    whole: Reply | None


def routes(doors: Doors) -> list[Route]:
    """`/llms.txt`, `/llms-full.txt`, and `/pages/SOURCE/PATH.md`."""
    texts = _Texts(doors)
    handlers = ((f"/{LIST}", texts.list), (f"/{WHOLE}", texts.whole), ("/pages/{source}/{path:path}", texts.page))
    return [Route(path, partial(_answer, doors, handler), include_in_schema=False) for path, handler in handlers]


async def _answer(doors: Doors, handler: Handler, request: Request) -> Response:
    try:
        if visit_of(request.scope).key is None and not doors.configuration.settings.serve.anonymous:
            raise RequestFault("key-needed", "This needs an API key.", "Send it as `Authorization: Bearer KEY`.")
        return await handler(request)
    except Exception as error:
        return problem_of_error(error, request.scope, doors.log)


class _Texts:
    """Makes the texts: a page when it is asked for, a list in a thread of its own, page by page between two questions."""

    def __init__(self, doors: Doors) -> None:
        self._doors = doors
        self._rules = doors.configuration.settings.serve
        self._texts = PageTexts(doors.configuration)
        self._worker: Worker | None = None
        self._kept: OrderedDict[tuple[str | None, _View], _Made] = OrderedDict()

    async def list(self, request: Request) -> Response:
        """GET /llms.txt."""
        view = self._view(request)
        return self._sent(request, (await self._made(view)).list, PLAIN, view)

    async def whole(self, request: Request) -> Response:
        """GET /llms-full.txt. Raises UsageFault (`llms-too-large`)."""
        view = self._view(request)
        made = await self._made(view)
        if made.whole is None:
            raise UsageFault(
                "llms-too-large",
                f"All pages in one are larger than {MOST_BYTES:,} bytes.",
                "Read /llms.txt and the pages that it lists; `nescio llms` writes the one file, for a file server.",
            )
        return self._sent(request, made.whole, PLAIN, view)

    async def page(self, request: Request) -> Response:
        """GET /pages/SOURCE/PATH.md, which says in its Link header which page of the site it is. Raises NotFoundFault."""
        view = self._view(request)
        source, path = request.path_params["source"], request.path_params["path"]
        reply, url = await self._doors.desk.work(lambda: self._page(view, source, path))
        sent = self._sent(request, reply, MARKDOWN, view)
        if url is not None:
            sent.headers["Link"] = f'<{url}>; rel="canonical"'
        return sent

    def _view(self, request: Request) -> _View:
        asked = from_query(request, SourcesQuery)
        version = [("version", asked.version)] if asked.version else []
        named = (*version, *(("reader_view", one) for one in asked.reader_view or ()))
        return _View(asked.version, self._doors.reader_view(asked), named)

    def _sent(self, request: Request, reply: Reply, media_type: str, view: _View) -> Response:
        visit = visit_of(request.scope)
        visit.index_id = reply.index_id
        is_private = bool(view.reader) or visit.key is not None
        known = request.headers.get("if-none-match")
        return response(reply, known, is_private=is_private, vary=VARY, media_type=media_type)

    def _page(self, view: _View, source: str, path: str) -> tuple[Reply, str | None]:
        with self._doors.following.engine() as engine:
            viewed = view.of(engine)
            wanted = [(source, path), (source, path.removesuffix(".md"))]
            found = {row.address: rank for rank, row in enumerate(rows(viewed)) if row.address in wanted}
            rank = next((found[address] for address in wanted if address in found), None)
            page = None if rank is None else PageTexts(self._doors.configuration).at(viewed, rank)
            if page is None or served_path(page) != f"pages/{source}/{path}":
                raise NotFoundFault("page-not-found", "No page of the documentation is here.", "See /llms.txt for the pages.")
            return _reply(f"{page.text}\n", engine.index_id), page.url

    async def _made(self, view: _View) -> _Made:
        """The list of a view, made where it is not at hand. Raises BusyFault while it goes on being made."""
        kept = self._kept.get((self._doors.following.generation, view))
        if kept is not None:
            return kept
        worker = self._started()
        if worker.waiting >= MOST_WAITING or worker.waiting_of_client >= MOST_WAITING * LARGEST_SHARE:
            raise BusyFault("server-busy", "Other lists of pages are being made.", "Try again in a moment.")
        try:
            async with asyncio.timeout(self._rules.request_seconds):
                return await worker.call(lambda: self._make(view))
        except TimeoutError:
            raise BusyFault("request-timeout", "The list of pages is being made.", "Try again in a moment.") from None

    def _started(self) -> Worker:
        if self._worker is None:
            self._worker = Worker("nescio-texts")
            self._worker.start()
        return self._worker

    def _make(self, view: _View) -> _Made:
        """In the thread. What is made of an index that goes meanwhile is made again."""
        for _ in range(ATTEMPTS):
            with self._doors.following.engine() as engine:
                view = view.as_told_apart(engine)
                generation = self._doors.following.generation
            kept = self._kept.get((generation, view))
            if kept is not None:
                return kept
            made = self._made_of(view, generation)
            if made is not None:
                self._kept[generation, view] = made
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
                return made
        raise BusyFault("server-busy", "The documents change faster than they can be listed.", "Try again in a moment.")

    def _made_of(self, view: _View, generation: str | None) -> _Made | None:
        """None where another index came."""
        pages: list[PageText] = []
        size, rank, total = 0, 0, 1
        while rank < total:
            with self._doors.following.engine() as engine:  # page by page: questions come in between
                if generation not in (None, self._doors.following.generation):
                    return None
                generation = self._doors.following.generation
                viewed = view.of(engine)
                index_id, total = engine.index_id, len(rows(viewed))
                heading = self._heading(viewed, view)
                page = self._texts.at(viewed, rank) if total else None
            rank += 1
            if page is not None:
                size += len(page.text.encode("utf-8", "replace"))
                pages.append(page if size <= MOST_BYTES else replace(page, text=""))
        listed = list_text(heading, pages, lambda page: served_link(served_path(page), view.named))
        return _Made(_reply(listed, index_id), _reply(whole_text(heading, pages), index_id) if size <= MOST_BYTES else None)

    def _heading(self, engine: Engine, view: _View) -> Heading:
        configuration = self._doors.configuration
        reader: Sequence[tuple[str, str]] = [pair for pair in view.named if pair[0] != "version"]
        others = (version.name for version in engine.versions if version.name != engine.view.version)
        links = tuple((name, served_link(LIST, [("version", name), *reader])) for name in others)
        return Heading(name_of(configuration), configuration.settings.summary, engine.view.version, links)


def _reply(text: str, index_id: str) -> Reply:
    return reply_of(text.encode("utf-8", "replace"), index_id)
