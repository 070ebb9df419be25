"""The page at `/`, as somebody in front of a browser meets it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import nescio
from nescio.surfaces.terminal import escape
from support.browser import Site, Visit, chromium, site

CODE = '''from lumen import App, Model

app = App()


class Item(Model):
    name: str
    price: float = 10.5  # without tax

    def total(self, rate: float) -> float:
        """The price with tax."""
        if rate < 0:
            raise ValueError(f"negative rate: {rate}")
        return self.price * (1 + rate)
'''
WRITTEN = "\u202etxet siht\u202c"
PAGES = {
    "models.md": (
        "# Response models\n\n## Declare a response model\n\nDeclare the response model of a path operation with\n"
        f"the parameter `response_model`, which *filters* the output data:\n\n```python\n{CODE}```\n\n"
        "## Limits of the server\n\nThe limits of the server are settings with these defaults:\n\n"
        "| Setting | Default | What the limit is |\n|---|---:|---|\n"
        "| `max_body_bytes` | 65536 | Largest body of a request, in bytes |\n"
        "| `max_requests_at_once_of_every_client` | 64 | Most requests that are worked on at once; more are turned away |\n"
    ),
    "upgrade.md": (
        "# Upgrading\n\n## Upgrade to a new release\n\nTo upgrade to a new release:\n\n1. Stop the service with `lumen stop`.\n"
        "2. Install the new release:\n   - from the registry, or\n   - from a file.\n3. Start it with `lumen start`.\n"
    ),
    "hostile.md": (
        "# Hostile `<img src=x onerror=hacked()>`\n\n## The injected section\n\n"
        "The injected section says `<script>window.hacked=1</script>` and [a link](javascript:window.hacked=2).\n"
        f"It has an escape \x1b[31mred, the override {WRITTEN}, zero\u200bwidth and a soft\u00adhyphen.\n\n"
        '```html\n<script>window.hacked = 3</script>\n<img src=x onerror="window.hacked=4">\n```\n'
    ),
    "keys.md": (
        "# Keys\n\n## Rotation\n\n- Archives are cold.\n\nThe vault holds certificates of the whole fleet.\n\n"
        "/// note\n\nRotate a signing key with the command `lumen rotate`.\n\n///\n\nWho has left loses access to the vault.\n"
    ),
    **{f"notes/{n}.md": f"# Notes {n}\n\nJob {n} copies archives to cold storage every night.\n" for n in range(6)},
}
RESPONSE_MODEL = "how do I declare a response model"
LIMITS = "what are the limits of the server"
INJECTED = "what does the injected section say"
UNKNOWN = "how do I run kubernetes operators"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def lumen(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The documents above behind a server that keeps feedback, with a browser."""
    published, keeping = 'site_url = "https://docs.example.org/"', 'feedback_file = "feedback.jsonl"'
    with site(browser, tmp_path_factory.mktemp("page"), PAGES, settings=keeping, source=published) as opened:
        yield opened


@pytest.fixture
def visit(lumen: Site) -> Iterator[Visit]:
    """The page, freshly opened. What goes wrong in the console or in the policy fails the test."""
    with lumen.visit() as opened:
        yield opened


def told(visit: Visit) -> str:
    """What a screen reader is told."""
    said = visit.find("[role=status]:not(:empty)")
    said.wait_for(state="attached")
    text: str = said.text_content()
    return text


# Answers


def test_an_answer_shows_the_quote_with_its_place_and_is_told(visit: Visit) -> None:
    assert visit.ask("how do I upgrade to a new release") == "answered"
    assert visit.find("article h3").first.text_content() == "Upgrading › Upgrade to a new release"
    assert visit.find(".words .paragraph").first.text_content() == "To upgrade to a new release:"
    assert visit.find(".list li").all_text_contents()[0] == "1.Stop the service with lumen stop."
    assert visit.find("article .place").first.text_content() == "upgrade.md:5-11"
    assert told(visit) == "Answered: 1 quote."


def test_code_is_shown_with_its_exact_text_and_coloured(visit: Visit) -> None:
    visit.ask(RESPONSE_MODEL)
    code = visit.find("pre.code").first
    assert code.text_content().rstrip("\n") == CODE.rstrip("\n")
    assert code.inner_text().rstrip("\n") == CODE.rstrip("\n")
    assert "class" in code.locator(".token-keyword").all_text_contents()
    assert "# without tax" in code.locator(".token-comment").all_text_contents()


def test_a_table_is_shown_as_a_table(visit: Visit) -> None:
    visit.ask(LIMITS)
    assert visit.find("th").all_text_contents() == ["Setting", "Default", "What the limit is"]
    assert visit.find("tbody tr").first.locator("td").all_text_contents()[:2] == ["max_body_bytes", "65536"]


def test_the_source_of_a_quote_is_shown_to_the_letter(lumen: Site, visit: Visit) -> None:
    visit.ask(RESPONSE_MODEL)
    visit.page.get_by_role("button", name="As in the source").first.click()
    shown = visit.find("blockquote pre.verbatim").first.text_content()
    assert shown in PAGES["models.md"]
    assert "*filters*" in shown
    assert visit.find("pre.code").first.is_hidden()


def test_a_mistyped_word_is_shown_with_what_it_was_read_as(visit: Visit) -> None:
    visit.ask("how do I declare a rsponse_model parameter")
    assert visit.find(".reading").first.text_content() == "Read rsponse_model as response_model."
    visit.find("summary").click()
    assert "no more than 60 % is claimed" in visit.find(".confidence .note").text_content()


def test_the_confidence_is_told_in_words_and_explained(visit: Visit) -> None:
    visit.ask(RESPONSE_MODEL)
    assert re.fullmatch(r"Confidence\d\d%(high|fair|low)", visit.find("summary").text_content())
    visit.find("summary").click()
    said = visit.find(".confidence .note").text_content()
    assert re.match(r"(About \d|More than 9) in 10 questions with evidence like this are covered", said)
    assert "an answer needs 0.50" in said


def test_a_quote_is_copied_with_a_citation_that_holds(lumen: Site) -> None:
    with lumen.visit(permissions=["clipboard-read", "clipboard-write"]) as visit:
        visit.ask(RESPONSE_MODEL)
        visit.find("button.copy").first.click()
        visit.page.get_by_text("Copied").first.wait_for()
        copied = visit.page.evaluate("navigator.clipboard.readText()")
    assert "> Declare the response model" in copied
    assert re.search(r"^— models\.md:5-\d+$", copied, re.MULTILINE)
    assert re.search(r"^quote_sha256: [0-9a-f]{64}$", copied, re.MULTILINE)
    (checked,) = nescio.cite(copied, lumen.project.docs)
    assert checked.problems == ()


def test_copying_works_without_https_too(visit: Visit) -> None:
    """There the browser has no clipboard object, except on this machine."""
    visit.ask(RESPONSE_MODEL)
    visit.page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    visit.find("button.copy").first.click()
    visit.page.get_by_text("Copied").first.wait_for()
    assert visit.find("textarea").count() == 0


def test_the_page_opens_at_the_heading_without_a_way_back(visit: Visit) -> None:
    visit.ask(RESPONSE_MODEL)
    opened = visit.find("a.open").first
    assert opened.get_attribute("href").startswith("https://docs.example.org/models")
    assert opened.get_attribute("rel") == "noopener noreferrer"


def test_only_web_addresses_are_links(visit: Visit) -> None:
    """Whatever a server sends."""
    address: str | None = None

    def poison(route: Any) -> None:
        response = route.fetch()
        body = response.json()
        for quote in body["quotes"]:
            quote.update(url=address, text_url=address, permalink=address)
        for place in body["related"]:
            place.update(url=address)
        route.fulfill(response=response, json=body)

    visit.page.route("**/v1/ask", poison)
    for address in ("javascript:alert(1)", "models.md#declare", "data:text/html,x", "//evil.example/", None):
        assert visit.ask(RESPONSE_MODEL) == "answered"
        assert visit.find(".view a").count() == 0, address
        assert visit.find("article .place").first.text_content().startswith("models.md:")


def test_a_quote_is_marked_in_its_context(visit: Visit) -> None:
    visit.ask(LIMITS)
    visit.find("button.context").first.click()
    visit.find(".around mark").wait_for()
    page = visit.find(".around pre").text_content()
    marked = visit.find(".around mark").text_content()
    assert page in PAGES["models.md"]
    assert marked in page
    assert len(page) > len(marked)
    assert visit.find("button.context").first.get_attribute("aria-expanded") == "true"


def test_of_a_passage_only_the_quote_is_marked(visit: Visit) -> None:
    visit.ask("how do I rotate a signing key")
    quote = "Rotate a signing key with the command `lumen rotate`."
    visit.find("button.context").first.click()
    visit.find(".around mark").first.wait_for()
    assert visit.find(".around mark").all_text_contents() == [quote]
    shown = visit.find(".around pre").text_content()
    assert "The vault holds certificates" in shown.partition(quote)[0]
    assert "loses access" in shown.partition(quote)[2]


# Refusals


def test_a_refusal_says_why_what_was_searched_and_what_is_near(visit: Visit) -> None:
    assert visit.ask(UNKNOWN) == "refused"
    assert visit.find("h2").text_content() == "Not covered"
    assert '"kubernetes". The best evidence is' in visit.find(".reason").text_content()
    assert "10 documents" in visit.find(".searched").text_content()
    assert "kubernetes in none" in visit.find(".term.unknown").all_text_contents()
    assert visit.find("article, blockquote").count() == 0
    assert told(visit) == "Not covered by the documentation."


def test_related_places_are_marked_as_no_answer(visit: Visit) -> None:
    visit.ask("how do I colour the limits of the server")
    assert "not an answer" in visit.find(".related h3").text_content()


def test_quotes_of_several_sources_say_which(browser: Any, tmp_path: Path) -> None:
    twice = {"port.md": "# Port\n\nThe server listens on the port 8080.\n"}
    twice["../more/port.md"] = "# Port\n\nThe port of the server is blue.\n"
    with site(browser, tmp_path, twice, settings='[[source]]\npath = "more"\n') as opened, opened.visit() as seen:
        seen.ask("port of the server")
        places = seen.page.locator(".quote .place, .more .place").all_text_contents()
    assert sorted(place.partition(" · ")[2] for place in places) == ["docs", "more"]


def test_a_gap_and_a_verdict_are_kept_by_the_server(lumen: Site, visit: Visit) -> None:
    visit.ask(UNKNOWN)
    visit.page.get_by_role("button", name="Report this gap").click()
    visit.page.get_by_text("Reported, thank you.").first.wait_for()
    visit.ask(RESPONSE_MODEL)
    visit.page.get_by_role("button", name="No", exact=True).click()
    visit.page.get_by_text("Thank you, noted.").first.wait_for()
    _, *lines = (lumen.project.root / "feedback.jsonl").read_text("utf-8").strip().split("\n")
    kept = list(map(json.loads, lines))
    assert [(one["verdict"], one["question"]) for one in kept] == [("gap", UNKNOWN), ("unhelpful", RESPONSE_MODEL)]


# The address, the keyboard, the looks


def test_a_question_stands_in_the_address_and_the_browser_goes_back(lumen: Site) -> None:
    with lumen.visit("/?q=how+do+I+declare+a+response+model") as visit:
        assert visit.shown() == "answered"
        assert visit.find("input").input_value() == RESPONSE_MODEL
        assert visit.page.title().startswith(RESPONSE_MODEL)
        visit.ask(UNKNOWN)
        assert visit.page.url.endswith("?q=how+do+I+run+kubernetes+operators")
        visit.page.go_back()
        visit.find("[data-state=answered]").wait_for()
        assert visit.find("input").input_value() == RESPONSE_MODEL
        visit.page.go_forward()
        visit.find("[data-state=refused]").wait_for()


def test_everything_works_with_the_keyboard_alone(visit: Visit) -> None:
    press, focused = visit.page.keyboard.press, "document.querySelector('nescio-ask').shadowRoot.activeElement"
    visit.page.evaluate("document.activeElement.blur()")
    press("/")
    visit.page.keyboard.type(RESPONSE_MODEL)
    press("Enter")
    visit.shown()
    press("ArrowDown")
    assert visit.page.evaluate(f"{focused}.className") == "quote"
    press("Tab")
    assert visit.page.evaluate(f"{focused}.textContent") == "As read"
    press("Tab")
    press("Enter")
    assert visit.find("blockquote pre.verbatim").first.is_visible()
    visit.find("article").first.focus()
    press("ArrowUp")
    assert visit.page.evaluate(f"{focused}.tagName") == "INPUT"


def test_questions_of_before_are_proposed_in_a_listbox(visit: Visit) -> None:
    visit.ask(RESPONSE_MODEL)
    visit.ask(UNKNOWN)
    box = visit.find("input")
    box.fill("response")
    assert box.get_attribute("aria-expanded") == "true"
    visit.page.keyboard.press("ArrowDown")
    assert box.get_attribute("aria-activedescendant") == "suggestion-0"
    assert visit.find("[aria-selected=true]").text_content() == f"{RESPONSE_MODEL}Asked before"
    visit.page.keyboard.press("Enter")
    visit.find("[data-state=answered]").wait_for()
    assert box.input_value() == RESPONSE_MODEL
    assert box.get_attribute("aria-expanded") == "false"


# What is typed is completed


def offered(visit: Visit, typed: str, expected: str) -> list[str]:
    """The texts in the list after something is typed, once `expected` is one of them."""
    visit.find("input").fill("")
    visit.find("input").press_sequentially(typed)
    visit.find("[role=option]").get_by_text(expected, exact=True).first.wait_for()
    texts: list[str] = visit.find("[role=option] .said").all_text_contents()
    return texts


def test_what_is_typed_is_completed_from_the_documents(visit: Visit) -> None:
    assert offered(visit, "upgr", "Upgrading") == ["Upgrading", "Upgrade to a new release"]
    assert visit.find("[role=option]").all_text_contents() == ["UpgradingPage", "Upgrade to a new releaseUpgrading"]
    assert visit.find("input").get_attribute("aria-expanded") == "true"
    assert told(visit) == "2 suggestions."
    visit.page.keyboard.press("ArrowDown")
    visit.page.keyboard.press("ArrowDown")
    assert visit.find("input").get_attribute("aria-activedescendant") == "suggestion-1"
    visit.page.keyboard.press("Enter")
    assert visit.shown() == "answered"
    assert visit.find("input").input_value() == "Upgrade to a new release"
    assert visit.find("[role=listbox]").is_hidden()
    assert "q=Upgrade+to+a+new+release" in visit.page.url


def test_a_typing_error_is_forgiven_and_a_click_asks(visit: Visit) -> None:
    offered(visit, "rotatoin", "Rotation")
    visit.find("[role=option]").first.click()
    assert visit.shown() in {"answered", "refused"}
    assert visit.find("input").input_value() == "Rotation"


def test_suggestions_never_hold_a_question_up(visit: Visit) -> None:
    held: list[Any] = []
    visit.page.route("**/v1/suggest", lambda route: held.append(route))
    visit.find("input").press_sequentially("response model")
    with visit.page.expect_request("**/v1/suggest"):
        visit.find("input").press_sequentially("s")
    visit.page.keyboard.press("Enter")
    assert visit.shown() in {"answered", "refused"}
    assert held[-1].request.failure is not None
    assert visit.find("[role=listbox]").is_hidden()


def test_a_reply_that_is_late_is_dropped(visit: Visit) -> None:
    held: list[Any] = []
    visit.page.route("**/v1/suggest", lambda route: held.append(route), times=1)
    with visit.page.expect_request("**/v1/suggest"):
        visit.find("input").press_sequentially("upgr")
    assert offered(visit, "rotat", "Rotation") == ["Rotation"]
    assert held[0].request.failure is not None
    visit.page.keyboard.press("Escape")
    assert visit.find("[role=listbox]").is_hidden()


@pytest.mark.parametrize("status", [404, 429, 500, 503])
def test_suggestions_that_cannot_be_had_are_not_missed(visit: Visit, status: int) -> None:
    visit.page.route("**/v1/suggest", lambda route: route.fulfill(status=status, body="{}"))
    with visit.page.expect_response("**/v1/suggest"):
        visit.find("input").press_sequentially("response model")
    assert visit.find("[role=listbox]").is_hidden()
    visit.page.keyboard.press("Enter")
    assert visit.shown() in {"answered", "refused"}
    visit.forgive("Failed to load resource")


def test_suggestions_are_text(visit: Visit) -> None:
    (title,) = offered(visit, "hostile", "Hostile <img src=x onerror=hacked()>")
    assert title == "Hostile <img src=x onerror=hacked()>"
    assert visit.find("[role=listbox] img").count() == 0


def test_only_what_was_typed_last_is_asked_of_the_server(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.post_data) if request.url.endswith("/v1/suggest") else None)
    visit.find("input").press_sequentially("rotati", delay=10)
    visit.find("[role=option]").first.wait_for()
    assert [json.loads(body)["typed"] for body in asked][-1] == "rotati"
    assert len(asked) <= 3
    assert "rotati" not in visit.page.url


def brightness(visit: Visit) -> int:
    """Of the page's background: 0 to 765."""
    colour = visit.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(int, re.findall(r"\d+", colour)[:3]))


def test_the_page_is_dark_where_the_system_is_and_the_choice_is_remembered(lumen: Site) -> None:
    with lumen.visit(color_scheme="dark") as visit:
        assert brightness(visit) < 150
        visit.page.locator("#theme").click()
        assert brightness(visit) > 600
        visit.page.reload()
        assert brightness(visit) > 600
        assert visit.page.locator("#theme").text_content() == "Colours: light"


def test_a_phone_never_scrolls_sideways(lumen: Site) -> None:
    with lumen.visit(viewport={"width": 320, "height": 600}, has_touch=True, is_mobile=True) as visit:
        visit.page.locator("#about summary").click()
        for question in ("", RESPONSE_MODEL, LIMITS, INJECTED, UNKNOWN):
            if question:
                visit.ask(question)
            assert visit.page.evaluate("document.documentElement.scrollWidth") == 320, question
            assert visit.page.evaluate("visualViewport.scale") == 1
        offered(visit, "server", "Limits of the server")
        assert visit.page.evaluate("document.documentElement.scrollWidth") == 320


def test_the_footer_says_what_is_behind_it(lumen: Site, visit: Visit) -> None:
    visit.page.locator("#about summary").click()
    said = visit.page.locator("#about").inner_text()
    assert "10 documents" in said
    with lumen.project.engine() as engine:
        assert engine.index_id in said


# Hostile text, policies, accessibility


def test_hostile_text_is_shown_as_text(visit: Visit) -> None:
    visit.ask(INJECTED)
    said = visit.find("blockquote .words").first.text_content()
    assert "<script>window.hacked=1</script>" in said
    assert '<img src=x onerror="window.hacked=4">' in said
    assert visit.find("script, img, iframe, .words a").count() == 0
    boxes = visit.find("blockquote .words").first.locator(".hidden-character").all_text_contents()
    assert boxes == ["U+001B", "U+202E", "U+202C", "U+200B", "U+00AD"]
    assert visit.page.evaluate("window.hacked") is None


# Where something is hidden, or nearly so: of every plane a stretch.
STRETCHES = ((0, 0x3200), (0xD7F0, 0x10000), (0x1BC90, 0x1BCB0), (0x1D160, 0x1D180), (0x1F600, 0x1F604), (0xDFFF0, 0xE1010))
SPELLED = ("\u0645\u06cc\u200c\u062e", "\U0001f469\u200d\U0001f4bb", "x\u200dy", "x\ufe0f\ufe0f", "\u2764\ufe0f")


def test_what_is_invisible_on_the_command_line_is_shown_in_a_box(visit: Visit) -> None:
    """Both have a list of such characters; this holds them together."""
    every = (f"a{chr(code)}a" for first, end in STRETCHES for code in range(first, end) if chr(code) not in "\r\\")
    told = "".join([*every, *SPELLED])
    problem = {"title": "All there is", "status": 422, "detail": told, "code": "all", "hint": ""}
    visit.page.route("**/v1/ask", lambda route: route.fulfill(status=422, body=json.dumps(problem)))
    visit.ask("anything")
    boxes = visit.find(".problem .hidden-character").all_text_contents()
    hidden = re.findall(r"\\(?:x(..)|u(....)|U(.{8}))", escape(told))
    assert [int(box.removeprefix("U+"), 16) for box in boxes] == [int("".join(one), 16) for one in hidden]
    assert len(boxes) > 4_000
    visit.forgive("Failed to load resource")


def test_the_question_itself_is_shown_as_text(visit: Visit) -> None:
    visit.ask("<img src=x onerror=window.hacked=1> \u202eoperators")
    assert visit.find(".view img").count() == 0
    assert visit.page.evaluate("window.hacked") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(lumen: Site, scheme: str) -> None:
    with lumen.visit(color_scheme=scheme) as visit:
        for question in (RESPONSE_MODEL, LIMITS, UNKNOWN):
            visit.ask(question)
            assert visit.accessible() == [], question
        offered(visit, "resp", "Response models")
        visit.page.keyboard.press("ArrowDown")
        assert visit.accessible() == []


def test_what_goes_wrong_is_said_in_words_with_a_way_on(visit: Visit) -> None:
    assert visit.ask("why " * 600) == "problem"
    assert "2000" in visit.find(".problem").text_content()
    visit.page.context.set_offline(True)
    visit.ask(RESPONSE_MODEL)
    visit.page.get_by_text("cannot be reached").first.wait_for()
    visit.page.context.set_offline(False)
    visit.page.get_by_role("button", name="Try again").click()
    visit.find("[data-state=answered]").wait_for()
    visit.forgive("Failed to load resource")


def test_a_busy_server_says_when_to_try_again(visit: Visit) -> None:
    problem = {
        "title": "Too many requests",
        "status": 429,
        "detail": "Slow down.",
        "code": "too-many-requests",
        "hint": "Wait.",
    }
    busy = {"Retry-After": "7", "Content-Type": "application/problem+json"}
    visit.page.route("**/v1/ask", lambda route: route.fulfill(status=429, headers=busy, body=json.dumps(problem)))
    assert visit.ask(RESPONSE_MODEL) == "problem"
    assert visit.find(".problem").inner_text().startswith("Too many questions at once.\n\nTry again in 7 seconds.")
    visit.forgive("Failed to load resource")


def test_a_newer_question_ends_the_older(visit: Visit) -> None:
    held: list[Any] = []
    visit.page.route("**/v1/ask", lambda route: held.append(route), times=1)
    visit.find("input").fill(LIMITS)
    with visit.page.expect_request("**/v1/ask"):
        visit.page.keyboard.press("Enter")
    assert visit.ask(UNKNOWN) == "refused"
    assert held[0].request.failure is not None
    assert visit.find("h2").text_content() == "Not covered"


def test_the_assets_are_told_from_old_ones_by_their_tags(lumen: Site) -> None:
    request = lumen.browser.new_context().request
    first = request.get(f"{lumen.url}/assets/page.js")
    assert first.headers["content-type"].startswith("text/javascript")
    assert first.headers["cache-control"] == "no-cache"
    again = request.get(f"{lumen.url}/assets/page.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status, again.body()) == (304, b"")
    policy = request.get(f"{lumen.url}/").headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy


# Documents that change, and versions


def test_the_page_offers_versions_and_says_that_the_documents_changed(browser: Any, tmp_path: Path) -> None:
    pages = {
        "1.0/guide.md": "# Guide\n\n## Lamps\n\nA lamp is lit with the command `lumen light`.\n",
        "2.0/guide.md": "# Guide\n\n## Lamps\n\nA lamp is lit with the command `lumen switch-on`.\n",
    }
    watched = site(browser, tmp_path, pages, source='versions = "folders"', arguments=("--watch",))
    with watched as opened, opened.visit() as visit:
        visit.ask("how is a lamp lit")
        assert "switch-on" in visit.find("blockquote").first.text_content()
        assert visit.find(".version").first.text_content() == "Version 2.0"
        visit.page.locator("#versions select").select_option("1.0")
        visit.page.get_by_text("lumen light").first.wait_for()
        assert "version=1.0" in visit.page.url
        opened.project.write("1.0/guide.md", pages["1.0/guide.md"].replace("lumen light", "lumen glow"))
        visit.page.get_by_text("The documents have changed.").wait_for()
        visit.page.get_by_role("button", name="Ask again").click()
        visit.page.get_by_text("lumen glow").first.wait_for()


def test_a_version_that_a_refusal_offers_is_chosen_when_it_is_asked(browser: Any, tmp_path: Path) -> None:
    pages = {
        "1.0/guide.md": "# Guide\n\nA lamp is lit with the command `lumen light`.\n",
        "2.0/guide.md": "# Guide\n\nWindows are opened by hand.\n",
    }
    with site(browser, tmp_path, pages, source='versions = "folders"') as opened, opened.visit() as visit:
        assert visit.ask("with which command is a lamp lit") == "refused"
        visit.page.get_by_role("button", name="Ask in version 1.0").click()
        visit.page.get_by_text("lumen light").first.wait_for()
        assert visit.page.locator("#versions select").input_value() == "1.0"
        assert "version=1.0" in visit.page.url
        assert visit.page.locator("nescio-ask").get_attribute("version") == "1.0"
