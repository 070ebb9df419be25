"""Which lines of a text speak to an assistant and not to the reader? A short list of shapes, measured on real documentation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nescio.domain.spans import Offsets
from nescio.drift.invisible import visible

_GAP = r"[\s*_`>]{1,12}+"  # between words: spaces, a line end, marks of emphasis and quotation
_MODEL = r"(?:ai|llm|assistant|chatbot|agent|language model|claude|chatgpt|copilot|gemini|gpt)"
_DEED = (
    r"(?:please )?+(?:open|read|send|run|execute|ignore|disregard|forget|print|reveal|delete|remove|fetch|call|upload|email"
    r"|post|write|output|answer|reply|respond|follow|do not|don't|you must|you are|always|never)"
)
_PRIVATE = r"(?:\.env\b|api[ _-]keys?\b|credentials\b|secrets?\b|passwords?\b|private keys?\b|\.ssh\b|id_rsa\b|tokens?\b)"
_TAKE = r"(?:open|read|cat|print|find|copy|collect|get|dump)"
_LEAD = " \t\r\n<!>*_#[\"'`-"  # what may stand before the first word of a match
_GIVE = r"(?:send|post|upload|email|mail|forward|exfiltrate|leak|transmit|paste)"


@dataclass(frozen=True, slots=True)
class _Shape:
    """`needles`: what a text has at least one of where `pattern` can match, to spare the rest of the time. In lower case."""

    name: str
    needles: tuple[str, ...]
    pattern: re.Pattern[str]


_SHAPES = (
    _Shape(
        "override",
        ("ignore", "disregard", "forget", "override", "bypass"),
        re.compile(
            rf"\b(?:ignore|disregard|forget|override|bypass){_GAP}"
            rf"(?:(?:all|any|every|each|of|the|your|my|these|those|other){_GAP}){{0,4}}+"
            rf"(?:previous|prior|earlier|above|preceding|foregoing|former|system|original){_GAP}"
            rf"(?:(?:and|or|system|user|given){_GAP}){{0,2}}+"
            r"(?:instruction|prompt|direction|directive|guideline|message|command|order|rule)s?\b"
        ),
    ),
    _Shape(
        "address",
        ("assistant", "ai", "llm", "chatbot", "agent", "language model", "claude", "chatgpt", "copilot", "gemini", "gpt"),
        re.compile(
            rf"(?:^|[\r\n>]|<!--)[\s*_#\[\"'`>-]{{0,12}}+"
            r"(?:(?:dear|hey|hello|attention|note to(?: the| any| all)?+|to(?: the| any| all)?+)[ ,]{1,2}+)?+"
            rf"{_MODEL}s?+[*_`\]]{{0,3}}+ ?+[:,]{_GAP}{_DEED}\b"
        ),
    ),
    _Shape(
        "address",
        ("if you are a", "if you're a"),
        re.compile(rf"\bif you(?: are|'re) an? (?:\w{{1,20}}+ ){{0,2}}?{_MODEL}\b"),
    ),
    _Shape(
        "role",
        ("as an ai", "you are now", "jailbr", "developer mode", "dan mode"),
        re.compile(
            r"\bas an ai(?: language)? (?:model|assistant)\b"
            r"|\byou are now (?:an? |in |the )?(?:\w{1,20}+ ){0,3}?"
            r"(?:assistant|chatbot|language model|dan|unrestricted|developer mode|jailbroken)\b"
            r"|\b(?:enter|enable|activate|switch to) (?:dan|jailbreak|god) mode\b"
        ),
    ),
    _Shape(
        "prompt",
        ("system prompt", "initial prompt", "your instructions", "hidden prompt", "new instructions"),
        re.compile(
            rf"\b(?:reveal|print|show|output|repeat|leak|disclose|display|recite|tell me){_GAP}"
            rf"(?:(?:all|of|me|the|your|full|entire|us){_GAP}){{0,4}}+"
            r"(?:system prompt|initial prompt|hidden prompt|instructions above)\b"
            rf"|\b(?:reveal|print|output|repeat|leak|disclose|recite){_GAP}your instructions\b"
            r"|(?:^|[\r\n>])[\s*_#\[\"'`-]{0,12}+new (?:system )?instructions"
            rf"(?: for (?:the |any )?{_MODEL}s?)?[*_`\]]{{0,3}}+:"
        ),
    ),
    _Shape(
        "secrets",
        (".env", "key", "credential", "secret", "password", ".ssh", "id_rsa", "token"),
        re.compile(
            rf"\b{_TAKE}\b[^\r\n.;]{{0,40}}?{_PRIVATE}[^\r\n.;]{{0,20}}?\b(?:and|then)[ ,]{{1,2}}+(?:then )?+"
            rf"{_GIVE} (?:it|them|its|their|the contents?)\b"
            rf"|\b{_GIVE}\b (?:me |us )?+(?:all |any |the |your |every |user's |users' ){{0,2}}+"
            rf"(?:contents? of )?+(?:the |your |users' )?+{_PRIVATE}[^\r\n.;]{{0,30}}?"
            r" to (?:https?:|[\w.+-]{1,60}+@|me\b|us\b)"
        ),
    ),
    _Shape(
        "concealment",
        ("the user", "the human", "anyone about this"),
        re.compile(
            r"\b(?:do not|don't|never|without) (?:tell|inform|alert|notify|telling|informing|alerting|notifying"
            r"|mention (?:this|it) to|reveal (?:this|it) to) the (?:user|human)\b"
            r"|\b(?:do not|don't|never) tell anyone about this\b"
        ),
    ),
    _Shape(
        "tokens",
        ("<|im_start|>", "<<sys>>", "[inst]"),
        re.compile(r"<\|im_start\|>\s?system|<<sys>>|\[inst\]"),
    ),
)


@dataclass(frozen=True, slots=True)
class Instruction:
    """Lines that seem to instruct an assistant. `shape` names what they look like, `text` is what one sees of the first."""

    start_line: int
    end_line: int
    shape: str
    text: str


def instructions(text: str) -> Iterator[Instruction]:
    """What looks like an instruction to an assistant, in order of place; each line begins at most one. What nobody sees between
    the letters is left out before it is looked for, and letters may be of any case.
    """
    shown = visible(text)
    lowered = shown.lower()  # ends as many lines as before
    matches = [
        (match.end() - len(match[0].lstrip(_LEAD)), match.end(), shape.name)
        for shape in _SHAPES
        if any(needle in lowered for needle in shape.needles)
        for match in shape.pattern.finditer(lowered)
    ]
    if not matches:
        return
    offsets, original = Offsets(lowered), Offsets(shown)
    told = 0
    for start, end, name in sorted(matches):
        line = offsets.line_of(start)
        if line > told:
            told = line
            yield Instruction(line, offsets.line_of(end - 1), name, original.line_span(line).of(shown).strip())
