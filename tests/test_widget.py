"""The widget in pages of another site: keys, input methods, policies, focus."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.browser import Site, Visit, chromium, site

PAGES = {
    "streams.md": (
        "# Streams\n\n## Write a fast stream\n\nWrite a fast stream with the command `faststream write`, of a file:\n\n"
        "```sh\nfaststream write data.bin  # one file\n```\n"
    ),
    "japanese.md": "# 設定\n\n## 日本語の設定\n\n日本語の設定はファイル `settings.toml` に書きます。\n",
    **{f"notes/{n}.md": f"# Notes {n}\n\nJob {n} copies archives to cold storage every night.\n" for n in range(6)},
}
QUESTION = "how do I write a fast stream"
ROOT = Path(__file__).parent.parent
MOST_BYTES = 25_000  # what the script may weigh, compressed
LAUNCH = "button.launch"


@pytest.fixture(scope="module")
def streams(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server that answers another site's pages."""
    with chromium() as browser, site(browser, tmp_path_factory.mktemp("widget"), PAGES) as opened:
        yield opened


@pytest.fixture
def visit(streams: Site) -> Iterator[Visit]:
    """A page that has hotkeys of its own."""
    with streams.visit("/hotkeys.html", at=streams.other) as opened:
        opened.find(LAUNCH).wait_for()
        yield opened


@pytest.fixture
def strict(streams: Site) -> Iterator[Visit]:
    """A page with a strict policy, a reset, and words of its own."""
    with streams.visit("/strict.html", at=streams.other) as opened:
        opened.find(LAUNCH).wait_for()
        yield opened


def is_open(visit: Visit) -> bool:
    return bool(visit.page.evaluate("document.querySelector('nescio-ask').dialog.open"))


def focused(visit: Visit) -> str:
    """What has the focus: in the widget, if it is there."""
    within = "document.querySelector('nescio-ask').shadowRoot.activeElement"
    said: str = visit.page.evaluate(f"({within} || document.activeElement).tagName")
    return said


# Keys


def test_what_is_typed_arrives_whole_and_moves_nothing_in_the_page(visit: Visit) -> None:
    visit.find(LAUNCH).click()
    visit.page.keyboard.type("faststream / s p n")
    assert visit.find("input").input_value() == "faststream / s p n"
    assert visit.page.locator("#pressed").text_content() == ""


def test_the_hotkeys_of_the_page_work_while_the_widget_is_closed(visit: Visit) -> None:
    visit.page.keyboard.press("f")
    assert visit.page.evaluate("document.activeElement.id") == "site-search"
    visit.page.evaluate("document.activeElement.blur()")
    visit.find(LAUNCH).click()
    visit.page.keyboard.press("Escape")
    visit.page.evaluate("document.activeElement.blur()")
    visit.page.keyboard.press("s")
    assert visit.page.evaluate("document.activeElement.id") == "site-search"


@pytest.mark.parametrize("key", ["/", "Control+k", "Meta+k"])
def test_the_dialog_opens_by_its_keys_and_the_page_does_not_hear_of_them(visit: Visit, key: str) -> None:
    visit.page.keyboard.press(key)
    assert is_open(visit)
    assert focused(visit) == "INPUT"
    assert "/" not in visit.page.locator("#pressed").text_content()
    assert visit.find("input").input_value() == ""


@pytest.mark.parametrize("place", ["#site-search", "#editable"])
def test_no_key_opens_it_while_one_types_in_the_page(visit: Visit, place: str) -> None:
    visit.page.locator(place).click()
    for key in ("/", "Control+k"):
        visit.page.keyboard.press(key)
    assert not is_open(visit)


# Input methods


def test_enter_that_confirms_a_conversion_does_not_ask(visit: Visit) -> None:
    visit.find(LAUNCH).click()
    devtools = visit.page.context.new_cdp_session(visit.page)
    devtools.send("Input.imeSetComposition", {"text": "せってい", "selectionStart": 4, "selectionEnd": 4})
    enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229}
    devtools.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **enter})
    devtools.send("Input.insertText", {"text": "日本語の設定"})
    devtools.send("Input.dispatchKeyEvent", {"type": "keyUp", **enter})
    assert visit.find("input").input_value() == "日本語の設定"
    assert visit.find(".view").get_attribute("data-state") == "empty"
    visit.page.keyboard.press("Enter")
    assert visit.shown() in {"answered", "refused"}


@pytest.mark.parametrize("event", ['{key: "Enter", isComposing: true}', '{key: "Enter", keyCode: 229}'])
def test_the_event_orders_of_all_browsers_are_known(visit: Visit, event: str) -> None:
    """Chrome says isComposing; Safari ends the composition first and then sends the key with the code 229."""
    visit.find(LAUNCH).click()
    visit.find("input").fill(QUESTION)
    told = f"new KeyboardEvent('keydown', {{bubbles: true, composed: true, cancelable: true, ...{event}}})"
    visit.find("input").evaluate(f"(input) => input.dispatchEvent({told})")
    assert visit.find(".view").get_attribute("data-state") == "empty"
    visit.page.keyboard.press("Enter")
    assert visit.shown() == "answered"


# The dialog


def test_escape_closes_it_and_the_focus_goes_back_to_where_it_was(visit: Visit) -> None:
    visit.page.evaluate("document.querySelector('h1').tabIndex = -1; document.querySelector('h1').focus()")
    visit.page.keyboard.press("Control+k")
    assert focused(visit) == "INPUT"
    visit.page.keyboard.press("Escape")
    assert not is_open(visit)
    assert visit.page.evaluate("document.activeElement.tagName") == "H1"
    visit.find(LAUNCH).click()
    visit.page.keyboard.press("Escape")
    assert visit.page.evaluate("document.querySelector('nescio-ask').shadowRoot.activeElement.className") == "launch"


def test_escape_closes_the_list_before_the_dialog(visit: Visit) -> None:
    visit.find(LAUNCH).click()
    visit.ask(QUESTION)
    visit.find("input").fill("how")
    assert visit.find("[role=listbox]").is_visible()
    visit.page.keyboard.press("Escape")
    assert visit.find("[role=listbox]").is_hidden()
    assert is_open(visit)
    visit.page.keyboard.press("Escape")
    assert not is_open(visit)


def test_what_is_typed_is_completed_and_escape_closes_the_list_first(visit: Visit) -> None:
    visit.find(LAUNCH).click()
    visit.find("input").press_sequentially("strea")
    visit.find("[role=option]").first.wait_for()
    assert visit.find("[role=option] .said").all_text_contents() == ["Streams", "Write a fast stream"]
    visit.page.keyboard.press("Escape")
    assert visit.find("[role=listbox]").is_hidden()
    assert visit.find("input").get_attribute("aria-expanded") == "false"
    assert is_open(visit)
    visit.page.keyboard.press("Escape")
    assert not is_open(visit)


def test_no_list_stands_in_the_way_of_an_input_method(visit: Visit) -> None:
    visit.find(LAUNCH).click()
    devtools = visit.page.context.new_cdp_session(visit.page)
    devtools.send("Input.imeSetComposition", {"text": "せってい", "selectionStart": 4, "selectionEnd": 4})
    visit.page.wait_for_timeout(200)
    assert visit.find("[role=listbox]").is_hidden()
    devtools.send("Input.insertText", {"text": "設定"})
    visit.find("[role=option]").first.wait_for()
    assert visit.find("[role=option] .said").all_text_contents() == ["日本語の設定"]


def test_a_site_can_do_without_suggestions(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    visit.page.evaluate("document.querySelector('nescio-ask').setAttribute('suggestions', 'off')")
    visit.find(LAUNCH).click()
    visit.find("input").press_sequentially("stream")
    visit.page.wait_for_timeout(300)
    assert [url for url in asked if url.endswith("/v1/suggest")] == []


def test_the_focus_stays_in_the_dialog(visit: Visit) -> None:
    visit.find(LAUNCH).click()
    visit.ask(QUESTION)
    for key in ("Tab", "Shift+Tab"):
        for _ in range(14):
            visit.page.keyboard.press(key)
            assert visit.page.evaluate("document.activeElement.tagName") == "NESCIO-ASK"
    assert is_open(visit)


def test_a_click_beside_it_closes_it(visit: Visit) -> None:
    visit.find(LAUNCH).click()
    visit.page.mouse.click(5, 700)
    assert not is_open(visit)


def test_the_dialog_and_the_combobox_have_their_roles(visit: Visit) -> None:
    visit.find(LAUNCH).click()
    dialog = visit.page.get_by_role("dialog", name="Ask the documentation")
    assert dialog.get_attribute("aria-modal") == "true"
    assert visit.page.get_by_role("combobox", name="Ask the documentation").is_visible()
    assert visit.find("input").get_attribute("aria-controls") == visit.find("[role=listbox]").get_attribute("id")


# Other sites


def test_a_strict_policy_and_a_reset_leave_it_whole(strict: Visit) -> None:
    strict.find(LAUNCH).click()
    assert strict.ask(QUESTION) == "answered"
    assert strict.find("article h3").inner_text() == "Streams › Write a fast stream"
    assert strict.find("pre.code").first.text_content().startswith("faststream write data.bin")
    looks = (
        "(one) => [getComputedStyle(one).textTransform, getComputedStyle(one).letterSpacing, getComputedStyle(one).textAlign]"
    )
    assert strict.find("article h3").evaluate(looks) == ["none", "normal", "start"]
    assert strict.find("[style]").count() == 0


def test_the_page_is_and_paints_as_before_when_it_is_closed(strict: Visit) -> None:
    written = "document.documentElement.outerHTML"
    markup, painted = strict.page.evaluate(written), strict.page.locator("main").screenshot()
    strict.find(LAUNCH).click()
    strict.ask(QUESTION)
    assert strict.page.locator("main").screenshot() != painted
    strict.page.keyboard.press("Escape")
    strict.find(LAUNCH).evaluate("(one) => one.blur()")
    assert strict.page.locator("main").screenshot() == painted
    assert strict.page.evaluate(written) == markup


def test_the_strings_of_a_site_are_used_and_others_stay(strict: Visit) -> None:
    assert strict.find(LAUNCH).inner_text() == "Frag die Dokumentation"
    strict.find(LAUNCH).click()
    strict.ask("how do I run kubernetes operators")
    assert strict.find("h2").text_content() == "Nicht enthalten"
    assert strict.find(".searched h3").text_content() == "What was searched"
    assert strict.find(".root").get_attribute("lang") == "de"
    strict.ask(QUESTION)
    strict.page.get_by_text("Beantwortet: 1 Zitat.").wait_for(state="attached")


def test_a_theme_takes_the_colours_of_its_host(streams: Site) -> None:
    with streams.visit("/inline.html", at=streams.other) as visit:
        assert visit.find("input").get_attribute("placeholder") == "Your question"
        colour = "(one) => getComputedStyle(one).backgroundColor"
        assert visit.find(".search").evaluate(colour) == "rgb(1, 2, 3)"
        visit.page.evaluate("document.querySelector('nescio-ask').style.setProperty('--nescio-background', 'rgb(9, 9, 9)')")
        assert visit.find(".search").evaluate(colour) == "rgb(9, 9, 9)"


def test_a_site_gives_examples_and_hears_of_answers(streams: Site) -> None:
    with streams.visit("/inline.html", at=streams.other) as visit:
        heard = "new Promise((done) => addEventListener('nescio-answer', (event) => done(event.detail.status), {once: true}))"
        visit.page.evaluate(f"window.heard = {heard}; undefined")
        visit.find("input").click()
        visit.page.keyboard.press("ArrowDown")
        assert visit.find("[role=option]").text_content() == f"{QUESTION}Example"
        visit.find("[role=option]").click()
        assert visit.page.evaluate("window.heard") == "answered"


def test_a_script_of_the_site_asks_and_opens_it(visit: Visit) -> None:
    visit.page.evaluate(f"document.querySelector('nescio-ask').ask({QUESTION!r})")
    assert visit.shown() == "answered"
    assert is_open(visit)
    visit.page.evaluate("document.querySelector('nescio-ask').close()")
    assert not is_open(visit)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_dialog(streams: Site, scheme: str) -> None:
    with streams.visit("/strict-quiet.html", at=streams.other, color_scheme=scheme) as visit:
        assert visit.accessible() == []
        visit.find(LAUNCH).click()
        assert visit.accessible() == []
        visit.ask(QUESTION)
        visit.find("input").fill("how do")
        assert visit.find("[role=listbox]").is_visible()
        assert visit.accessible() == []
        visit.find("input").fill("fast")
        visit.find("[role=option]").get_by_text("Streams").wait_for()
        visit.page.keyboard.press("ArrowDown")
        assert visit.accessible() == []
        visit.ask("how do I run kubernetes operators")
        assert visit.accessible() == []


def test_the_script_is_small_and_loads_anywhere(streams: Site) -> None:
    answer = streams.browser.new_context().request.get(f"{streams.url}/nescio-ask.js")
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert answer.headers["content-encoding"] == "gzip"
    assert len(gzip.compress(answer.body(), mtime=0)) <= MOST_BYTES
    assert b"innerHTML" not in answer.body()
    assert b"eval(" not in answer.body()


def test_every_attribute_and_variable_is_documented() -> None:
    pages = pytest.importorskip("nescio.surfaces.web.pages")
    script, page = pages.widget().decode(), (ROOT / "docs" / "widget.md").read_text("utf-8")
    attributes = {"theme", *re.findall(r'getAttribute\("([a-z-]+)"\)', script)} - {"nonce", "data-state"}
    assert {name for name in attributes if f"| `{name}` |" not in page} == set()
    assert {name for name in re.findall(r"var\((--nescio-[a-z-]+)", script) if name not in page} == set()
    themes = re.findall(r'theme=\\"(\w+)\\"', script)
    assert len(set(themes)) == 7
    assert all(f"`{theme}`" in page for theme in themes)


def test_a_site_that_is_not_listed_gets_no_answer(streams: Site) -> None:
    """The script is for everybody; the answers are for the sites that `serve.origins` names."""
    elsewhere = streams.other.replace("127.0.0.1", "localhost")
    with streams.visit("/hotkeys.html", at=elsewhere) as visit:
        visit.find(LAUNCH).click()
        assert visit.ask(QUESTION) == "problem"
        assert "cannot be reached" in visit.find(".problem").text_content()
        visit.forgive("blocked by CORS policy", "Failed to load resource")
