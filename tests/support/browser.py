"""A real browser in front of a real `nescio serve`, and the pages of another site that show the widget."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from support.processes import is_root
from support.projects import Project, environment

HERE = Path(__file__).parent / "pages"
CHROMIUM = "/usr/bin/chromium"  # where Debian puts it
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
START_SECONDS = 30
PATIENCE_MS = 10_000  # of one step in the browser, on a busy machine
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
# The strictest that a site can be and still load the widget: no inline style, no inline script, no markup from strings.
STRICT = (
    "default-src 'none'; script-src {endpoint}; style-src 'self'; img-src 'self'; connect-src {endpoint}; base-uri 'none'; "
    "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
_WATCH_POLICY = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.violations.push(event.violatedDirective + " " + event.blockedURI);
});
"""


@dataclass
class Visit:
    """A page that is open, and what went wrong on it: errors in the console, refusals by the policy, requests elsewhere."""

    page: Any  # playwright's Page: the package may not be there
    hosts: frozenset[str]
    troubles: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Note what goes wrong from now on."""
        self.page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        self.page.on("console", lambda said: self.troubles.append(said.text) if said.type in {"error", "warning"} else None)
        self.page.on("request", lambda request: self._requested(request.url))
        self.page.add_init_script(_WATCH_POLICY)

    def _requested(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.netloc not in self.hosts:
            self.troubles.append(f"request to {url}")

    def check(self) -> None:
        """That nothing went wrong so far."""
        assert self.troubles == []
        assert self.page.evaluate("window.violations") == []

    def forgive(self, *told: str) -> None:
        """Forget what was to go wrong: the browser says of each request that failed that it did. There has to be some."""
        assert self.troubles
        self.troubles = [trouble for trouble in self.troubles if not any(one in trouble for one in told)]

    def find(self, selector: str) -> Any:
        """What matches within the widget: Playwright looks into open shadow roots."""
        return self.page.locator(f"nescio-ask {selector}")

    def ask(self, question: str) -> str:
        """Type a question as a person does, and wait for what comes: answered, refused or problem."""
        self.find("input").fill(question)
        self.page.keyboard.press("Enter")
        return self.shown()

    def shown(self) -> str:
        """The state of the view, once it is no longer working."""
        self.find(".view:not([data-state=working]):not([data-state=empty])").wait_for()
        state: str = self.find(".view").get_attribute("data-state")
        return state

    def accessible(self) -> list[str]:
        """What axe finds serious or critical, with the elements."""
        from axe_playwright_python.base import AXE_FILE_PATH

        self.page.evaluate(Path(AXE_FILE_PATH).read_text("utf-8"))
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {node['html'][:200]} {node['failureSummary']}"
            for one in found["violations"]
            if one["impact"] in {"serious", "critical"}
            for node in one["nodes"]
        ]


@dataclass(frozen=True)
class Site:
    """A server with an index, another site with the widget, and a browser for both. Addresses have no slash at the end."""

    project: Project
    url: str
    other: str
    browser: Any

    @contextmanager
    def visit(self, path: str = "/", *, at: str | None = None, **options: Any) -> Iterator[Visit]:
        """A page in a context of its own, with Playwright's `options` for it. At the end nothing may have gone wrong."""
        hosts = frozenset(urlsplit(one).netloc for one in (self.url, self.other, at or self.url))
        context = self.browser.new_context(
            **{"viewport": {"width": 1000, "height": 760}, "reduced_motion": "reduce", **options}
        )
        context.set_default_timeout(PATIENCE_MS)
        try:
            visit = Visit(context.new_page(), hosts)
            visit.watch()
            visit.page.goto((at or self.url) + path)
            yield visit
            visit.check()
        finally:
            context.close()


@contextmanager
def site(
    browser: Any, root: Path, pages: Mapping[str, str], *, settings: str = "", source: str = "", arguments: Sequence[str] = ()
) -> Iterator[Site]:
    """Everything that a test of the page or the widget needs. Skips, and says so, where the server's packages are not there.

    `settings` are lines of `[serve]`, `source` of the source, `arguments` of the command.
    """
    for package in ("fastapi", "uvicorn"):
        pytest.importorskip(package)
    with ExitStack() as stack:
        endpoint: list[str] = []
        other = stack.enter_context(host_pages(lambda: endpoint[0]))
        project = Project(root).write_all(pages)
        lines = ["[[source]]", 'path = "docs"', source, "[serve]", 'rate = "off"', f'origins = ["{other}"]', settings]
        (root / "nescio.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        project.build()
        endpoint.append(stack.enter_context(serving(root, *arguments)))
        yield Site(project, endpoint[0], other, browser)


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless Chromium that is installed, one at a time. Skips, and says so, where there is none."""
    for package in ("playwright", "axe_playwright_python"):
        pytest.importorskip(package)
    found = CHROMIUM if Path(CHROMIUM).exists() else next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no Chromium is installed: pages are not looked at")
    from playwright.sync_api import sync_playwright

    # Root has no sandbox in Chromium; what it opens here are our own pages.
    flags = ["--no-sandbox"] if is_root() else []
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=flags)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def serving(root: Path, *arguments: str) -> Iterator[str]:
    """The address of a `nescio serve` in a process of its own; the log goes to serve.log."""
    command = [sys.executable, "-m", "nescio", "serve", "--port", "0", *arguments]
    with (
        (root / "serve.log").open("w", encoding="utf-8") as log,
        subprocess.Popen(
            command, cwd=root, env=environment(PYTHONUNBUFFERED="1"), stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            yield _address(process, root)
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def _address(process: subprocess.Popen[str], root: Path) -> str:
    assert process.stdout is not None
    late = threading.Timer(START_SECONDS, process.kill)
    late.start()
    try:
        for line in process.stdout:
            if found := re.search(r"https?://\S+", line):
                return found[0].rstrip("/")
    finally:
        late.cancel()
    raise AssertionError((root / "serve.log").read_text("utf-8"))


@contextmanager
def host_pages(endpoint: Callable[[], str]) -> Iterator[str]:
    """The origin of another site, whose pages are those beside this file; `{endpoint}` in them is the server's address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Pages, endpoint))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Pages(BaseHTTPRequestHandler):
    def __init__(self, endpoint: Callable[[], str], *arguments: Any) -> None:
        self.endpoint = endpoint
        super().__init__(*arguments)

    def do_GET(self) -> None:
        """One file of the folder."""
        file = HERE / Path(urlsplit(self.path).path).name
        if not file.is_file():
            self.send_error(404)
            return
        content = file.read_text("utf-8").replace("{endpoint}", self.endpoint()).encode()
        self.send_response(200)
        self.send_header("Content-Type", KINDS[file.suffix])
        self.send_header("Content-Length", str(len(content)))
        if file.name.startswith("strict"):
            self.send_header("Content-Security-Policy", STRICT.format(endpoint=self.endpoint()))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        """Say nothing: a test's output is its own."""
