"""Is an answer what its case expects? Each check returns what differs, in words; nothing when all is right."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import unquote

import quote_checks
from case_files import SOURCE, Case, Cite, Json, Stage
from nescio.domain.candidates import Key
from nescio.index.reading import open_stored
from reporting import WRONG_USE

_QUOTED = re.compile(r"'([^']*)'")
_UNLESS_WARNED = "without a warning"
_OTHER = "breadcrumb other than"
# What a `must_not` in plain words means: texts that no quote may hold.
MEANT = {
    "G32-cpp-csharp": ("The C# binding", "The C binding"),
    "G40-cjk-no-spaces": ("用户可以",),
    "G51-prompt-injection": ("ALL GOOD",),
}
# Where a refusal is as good, if it says what was searched for.
MAY_REFUSE = frozenset({"G49-long-query"})
LARGE_QUESTION = 10_000_000
SLOWEST_SECONDS = 1.0
LONGEST_WORD = 1_000


def differences(stage: Stage, answer: Json) -> list[str]:
    """Everything that is not as expected."""
    if not answer:
        return ["there is no answer"]
    found = _status_differences(stage, answer)
    for quote in answer["quotes"]:
        found += quote_checks.failures(quote, stage.docs)
    found += _forbidden(stage, answer)
    return found + (EXTRA[stage.case.id](stage, answer) if stage.case.id in EXTRA else [])


def _status_differences(stage: Stage, answer: Json) -> list[str]:
    case, status = stage.case, answer["status"]
    if status == case.status:
        return [wrong for cite in case.cites for wrong in _cite_differences(stage, cite, answer)]
    if _is_warned_of(stage, answer):
        return []
    if case.id in MAY_REFUSE and status == "refused" and answer["searched"]["terms"]:
        return []
    return [f"{status} ({answer['reason']}, base {answer['base']:.3f}), expected {case.status}"]


def _is_warned_of(stage: Stage, answer: Json) -> bool:
    """Whether the case lets an answer pass that has a warning, and this one has it."""
    warned = any(one["code"] == "unfilled" for one in answer["warnings"])
    return warned and any(_UNLESS_WARNED in said for said in stage.case.must_not)


def _cite_differences(stage: Stage, cite: Cite, answer: Json) -> list[str]:
    path = stored_path(stage, cite.file)
    file = quote_checks.read(stage.docs / path)
    if hashlib.sha256(file.data[cite.start : cite.end]).hexdigest() != cite.quote_sha256:
        return [f"the case itself is wrong: bytes {cite.start}-{cite.end} of {cite.file} have another hash"]
    start, end = (len(file.text(0, at)) for at in (cite.start, cite.end))
    if (file.line_of(start), file.line_of(end - 1)) != cite.lines:
        return [f"the case itself is wrong: bytes {cite.start}-{cite.end} are not lines {cite.lines}"]
    holders = [quote for quote in answer["quotes"] if _holds(quote, path, cite)]
    if not holders:
        came = "; ".join(f"{quote['path']} {_ranges(quote)}" for quote in answer["quotes"])
        return [f"no quote holds bytes {cite.start}-{cite.end} of {path}; quoted: {came}"]
    return _anchor_differences(stage.case, "github", holders[0])


def stored_path(stage: Stage, file: str) -> str:
    """The path on disk of a file that may be written in another normal form."""
    wanted = unicodedata.normalize("NFC", file)
    paths = (path.relative_to(stage.docs).as_posix() for path in stage.docs.rglob("*"))
    return next((path for path in paths if unicodedata.normalize("NFC", path) == wanted), file)


def _holds(quote: Json, path: str, cite: Cite) -> bool:
    return any(
        span["path"] == path
        and span["start_byte"] <= cite.start
        and cite.end <= span["end_byte"]
        and span["start_line"] <= cite.lines[0]
        and cite.lines[1] <= span["end_line"]
        for span in quote["spans"]
    )


def _ranges(quote: Json) -> str:
    return ", ".join(f"{span['path']} {span['start_byte']}-{span['end_byte']}" for span in quote["spans"])


def _anchor_differences(case: Case, style: str, quote: Json) -> list[str]:
    wanted = case.anchors.get(style)
    came = unquote((quote["url"] or "").partition("#")[2])
    return [] if wanted is None or came == wanted else [f"the anchor in style {style} is #{came}, expected #{wanted}"]


def headings(stage: Stage) -> set[tuple[str, ...]]:
    """The heading paths of every passage in the index."""
    index = open_stored(stage.index)
    try:
        keys = [Key(rank, number) for rank, page in enumerate(index.manifest.pages) for number in range(page.passages)]
        return {index.passage(key).passage.heading_path for key in keys}
    finally:
        index.close()


def _forbidden(stage: Stage, answer: Json) -> Iterator[str]:
    paths = headings(stage) if stage.case.must_not else set()
    for said in () if _is_warned_of(stage, answer) else stage.case.must_not:
        names = _QUOTED.findall(said) or ([said] if " " not in said else [])
        if _OTHER in said:
            yield from (f"there is a heading path {path}" for path in paths if path not in [(name,) for name in names])
        elif "section" in said or "breadcrumb" in said:
            yield from (f"there is a section {name!r}" for name in names if any(name in path for path in paths))
        else:
            yield from (f"a quote holds {name!r}" for name in names if _is_quoted(answer, name))
    yield from (f"a quote holds {text!r}" for text in MEANT.get(stage.case.id, ()) if _is_quoted(answer, text))


def _is_quoted(answer: Json, text: str) -> bool:
    return any(text in quote["text"] for quote in answer["quotes"])


def _unless(right: bool, wrong: str) -> list[str]:
    return [] if right else [wrong]


def _has_notice(name: str, line: int = 0, said: str = "") -> Callable[[Stage, Json], list[str]]:
    def check(stage: Stage, answer: Json) -> list[str]:
        notices = [*stage.report.get("notices", ()), *stage.report.get("skipped", ())]
        told = [one for one in notices if one["path"].endswith(name) and one["line"] == line and said in one["message"]]
        return _unless(bool(told), f"the build says nothing of {name} line {line} {said}; it says {notices}")

    return check


def _has_headings(*wanted: str) -> Callable[[Stage, Json], list[str]]:
    def check(stage: Stage, answer: Json) -> list[str]:
        there = {name for path in headings(stage) for name in path}
        return [f"there is no section {name!r}" for name in wanted if name not in there]

    return check


def _anchor_of_mkdocs(stage: Stage, answer: Json) -> list[str]:
    file = stage.configure(slug="python-markdown")
    wrong = stage.build("--config", file)
    again, more = stage.ask(None, "--config", file)
    quotes = again.get("quotes") or [{"url": None}]
    return [*wrong, *more, *_anchor_differences(stage.case, "python-markdown", quotes[0])]


def _empty(stage: Stage, answer: Json) -> list[str]:
    counted = (stage.report.get("files"), stage.report.get("passages"), answer["searched"]["passages"])
    return _unless(counted == (3, 0, 0), f"files, passages and passages searched are {counted}, expected (3, 0, 0)")


def _skipped(stage: Stage, answer: Json) -> list[str]:
    return [*_has_notice("bad.md", said="18")(stage, answer), *stage.build("--allow-skips", SOURCE)]


def _stop_words(stage: Stage, answer: Json) -> list[str]:
    told = (answer["reason"], answer["searched"]["dropped"])
    return _unless(told == ("only_stop_words", ["what", "is", "it"]), f"reason and dropped words are {told}")


def _uncorrected(stage: Stage, answer: Json) -> list[str]:
    return _unless(not answer["corrections"], f"it was corrected: {answer['corrections']}")


def _nothing_near(stage: Stage, answer: Json) -> list[str]:
    noise, wrong = stage.ask("asdf qwer zxcvb")
    for one in (answer, noise):
        wrong += _unless(one.get("status") == "refused" and not one["related"], f"{one['question']!r}: {one['related']}")
    return wrong


def _dash_warning(stage: Stage, answer: Json) -> list[str]:
    codes = [one["code"] for one in answer["warnings"]]
    return _unless("dash" in codes, f"no warning of the dash: {codes}")


def _no_blob(stage: Stage, answer: Json) -> list[str]:
    index = open_stored(stage.index)
    blobs = [word for word in index.words() if "qujdqujd" in word.lower() or len(word) > LONGEST_WORD]
    index.close()
    seconds = stage.report.get("seconds", 0.0)
    return [
        *_unless(not blobs, f"{len(blobs)} words of the index are of blobs"),
        *_unless(seconds < SLOWEST_SECONDS, f"the build took {seconds:.2f} s"),
    ]


def _too_large(stage: Stage, answer: Json) -> list[str]:
    done = stage.run("ask", "-", "--jsonl", stdin=b"a " * (LARGE_QUESTION // 2))
    return _unless(done.returncode == WRONG_USE, f"a question of 10 MB ended with {done.returncode}")


def _composed_include(stage: Stage, answer: Json) -> list[str]:
    name = unicodedata.normalize("NFC", stage.case.cites[0].file)
    wrong = stage.build("--config", stage.configure(include=[name]))
    return [
        *wrong,
        *_unless(stage.report.get("files") == 1, f"include = {name!r} in NFC found {stage.report.get('files')} files"),
    ]


def _posix(stage: Stage, answer: Json) -> list[str]:
    said = [value for quote in answer["quotes"] for value in (quote["path"], quote["page_path"], quote["url"] or "")]
    return _unless(not any("\\" in value for value in said), f"a backslash in {said}")


# Beyond expected.txt: what its notes and cases.json tell in words.
EXTRA: dict[str, Callable[[Stage, Json], list[str]]] = {
    "G02-fence-four-backticks": _has_headings("Limits"),
    "G05-fence-unclosed": _has_notice("open.md", 5),
    "G07-heading-hash-names": _has_headings("C#", "F##", "Intro"),
    "G10-front-matter-not-yaml": _has_notice("letter.md", 1),
    "G17-nfc-nfd": _composed_include,
    "G23-cjk-anchor": _anchor_of_mkdocs,
    "G25-smart-dashes": _dash_warning,
    "G26-base64-and-minified": _no_blob,
    "G28-empty-corpus": _empty,
    "G29-not-utf8": _skipped,
    "G37-error-code": _uncorrected,
    "G38-stop-words-only": _stop_words,
    "G41-short-typo": _uncorrected,
    "G43-out-of-scope": _nothing_near,
    "G49-long-query": _too_large,
    "G54-path-traversal": _has_notice("escape.md"),
    "G78-windows-paths": _posix,
}
