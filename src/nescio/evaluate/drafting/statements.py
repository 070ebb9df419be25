"""How a sentence that says what something is, does or defaults to becomes a question about it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from nescio.evaluate.drafting.headings import Written, in_sentence_case, is_plural
from nescio.evaluate.drafting.words import words_that_are

FEWEST_WORDS = 5  # of a sentence that says something
SHORTEST_NAME = 3  # letters
LONGEST_NAME = 60
LONGEST_ACRONYM = 5  # letters; a heading of capitals alone that is no longer is a word of English

_CODE = r"`(?P<code>[^`\s]{2,60})`"
_SORT = (
    r"(?: (?P<sort>(?:(?:class|instance|static|keyword|configuration|query|template|boolean|optional|environment) )?"
    r"(?:parameter|argument|option|flag|setting|attribute|property|method|function|class|decorator|command|field|hook|"
    r"directive|variable|module|object|type|filter|tag|component|keyword|middleware|exception|header|event|macro|trait)))?"
)
_NAME = rf"(?:The |An? )?{_CODE}{_SORT}"
_DOES = re.compile(rf"{_NAME} (?:also |always |only |then )?(?P<verb>[a-z]+) ")
_IS = re.compile(rf"{_NAME} (?:is|are) (?P<rest>an? |the |used (?:to|for|by|when) )")
_ENTRY = re.compile(rf"{_CODE}(?: ?\([^()]{{1,60}}\))? ?(?::|--|[-\u2013\u2014]) ?(?=[A-Z\w`])")
_DEFAULTS = (
    re.compile(rf"{_NAME} (?:[^`]{{0,80}}, )?(?:(?:and|which) )?defaults to "),
    re.compile(rf"(?:The |Its )?[Dd]efault (?:value )?(?:of|for) (?:the )?{_CODE}{_SORT} is "),
    re.compile(rf"By default,? (?:the )?{_CODE}{_SORT} is (?:set to )?(?=`|\d|true|false|enabled|disabled|not set|empty)"),
    re.compile(rf"{_CODE}(?= ?(?:[:(\u2013\u2014-]|--))[^`]{{1,160}}[(.,] ?(?:[Dd]efault(?:s to| is|:)|by default) ?(?=`|\d)"),
)
_BARE_DEFAULT = re.compile(r"(?:The )?Default(?: value)?(?: is)?:? (?=`|\d|[A-Z\[\"'])|Defaults to ")

_SUBJECT = re.compile(
    r"(?P<article>An? |The )?(?P<subject>[A-Za-z][\w'/.-]*(?: [\w'/.-]+){0,3}) (?P<verb>is|are) "
    r"(?P<rest>(?:an?|the|one of the) .+)"
)
_FIRST_WORDS = 4  # of a predicate: if it is weak, it is so at its start
# Endings of nouns that need no article: "authentication", "caching", "security".
_ARTICLELESS = ("tion", "sion", "ing", "ity", "ism", "ment", "ness", "ance", "ence", "cy", "ware")

_CODE_LIKE = re.compile(r"--?[A-Za-z][\w-]*|@?[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_]\w*)*(?:\(\))?|[a-z]+(?:[-:][a-z]+)+")
_PLAIN_WORD = re.compile(r"[A-Za-z]?[a-z]+")
_FIRST_PART = re.compile(r"[A-Za-z][a-z]*")
_FILE = re.compile(
    r"\.(?:py|md|rst|txt|html?|css|jsx?|tsx?|json|ya?ml|toml|sh|rs|go|java|rb|php|xml|ini|cfg|lock|vue|conf|com|org|io)$"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what it asks of, as written: a name in code without its backticks, or a noun."""

    question: str
    about: str
    is_option: bool = False


def is_code_like(word: str, *, alone: bool = True) -> bool:
    """Whether a word is a name in code and not one made up for an example. `alone`: nothing else says that it is one."""
    bare = word.strip("-@$_()").lower()
    if len(word) > LONGEST_NAME or not _CODE_LIKE.fullmatch(word) or _FILE.search(word) or _is_made_up(word):
        return False
    if sum(map(str.isalpha, bare)) < SHORTEST_NAME or bare in words_that_are("value"):
        return False
    return not (alone and _PLAIN_WORD.fullmatch(word))


def _is_made_up(word: str) -> bool:
    """Whether the first part of a name is one of those that only examples have."""
    first = _FIRST_PART.search(word)
    return first is not None and first[0] in words_that_are("made-up")


def from_definition(text: str, topic: Callable[[str], bool], written: Written) -> Asked | None:
    """`What is ...?` from a sentence that says so. `topic` tells whether a subject is what the section is about."""
    found = _SUBJECT.match(text)
    if not found or len(text.split()) < FEWEST_WORDS + 2 or not text.isprintable():
        return None
    predicate = re.findall(r"\w+", found["rest"].lower())[1:_FIRST_WORDS]
    if not words_that_are("weak-predicate").isdisjoint(predicate):
        return None
    article, subject = (found["article"] or "").lower(), found["subject"]
    if not words_that_are("no-subject").isdisjoint(subject.lower().split()) or not topic(subject):
        return None
    if not article:
        shown = in_sentence_case(subject, written)
        subject = shown if shown.islower() and written(shown.split()[0]) else subject
    if not article and found["verb"] == "is" and subject.islower() and not subject.endswith(_ARTICLELESS):
        return None
    if not article and is_plural(subject) != (found["verb"] == "are"):
        return None
    return Asked(f"What {found['verb']} {article}{subject}?", article + subject)


def from_identifier(text: str, *, listed: bool) -> Asked | None:
    """What a name in code does, takes or is, from a sentence that opens with it; `listed` where that is a list's entry."""
    if len(text.split()) < FEWEST_WORDS or not text.isprintable():
        return None
    return _from_doing(text) or _from_being(text) or (_from_entry(text) if listed else None)


def _from_doing(text: str) -> Asked | None:
    said = _DOES.match(text)
    shown = _named(said)
    if said is None or shown is None:
        return None
    if said["verb"] in words_that_are("taking"):
        return Asked(f"What does {shown} accept?", _bare(said))
    return Asked(f"What does {shown} do?", _bare(said)) if said["verb"] in words_that_are("telling") else None


def _from_being(text: str) -> Asked | None:
    said = _IS.match(text)
    shown = _named(said)
    if said is None or shown is None:
        return None
    return Asked(f"What is {shown}{' used for' if said['rest'].startswith('used') else ''}?", _bare(said))


def _from_entry(text: str) -> Asked | None:
    said = _ENTRY.match(text)
    if said is None or not is_code_like(_bare(said)):
        return None
    shown = _shown(_bare(said))
    return Asked(f"What does {shown} do?" if _bare(said).startswith("-") else f"What is {shown} for?", _bare(said), True)


def from_named_heading(heading: str) -> Asked | None:
    """What a name in code does, where the heading is nothing but that name."""
    name = heading.strip().strip("`")
    is_acronym = name.isalpha() and name.isupper() and len(name) <= LONGEST_ACRONYM
    if is_acronym or not is_code_like(name):
        return None
    return Asked(f"What does {_shown(name)} do?", name, name.startswith("-"))


def from_default(text: str, heading: str) -> Asked | None:
    """The default of a name in code, from a sentence that gives it, or of the heading when that is one."""
    if not text.isprintable():
        return None
    found = next((match for match in (pattern.match(text) for pattern in _DEFAULTS) if match), None)
    if found:
        shown = _named(found)
        return Asked(f"What is the default of {shown}?", _bare(found)) if shown else None
    name = heading.strip("`")
    if _BARE_DEFAULT.match(text) and is_code_like(name) and not name.endswith(")"):
        return Asked(f"What is the default value of {_shown(name)}?", name)
    return None


def _bare(said: re.Match[str]) -> str:
    """The name in code, without a value that stands with it."""
    return said["code"].partition("=")[0]


def _named(said: re.Match[str] | None) -> str | None:
    """How a question speaks of the name in code that was found; None where it is none."""
    if said is None:
        return None
    sort = said.groupdict().get("sort")
    if not is_code_like(_bare(said), alone=not sort):
        return None
    return f"the `{_bare(said)}` {sort}" if sort else _shown(_bare(said))


def _shown(name: str) -> str:
    return f"the `{name}` option" if name.startswith("-") else f"`{name}`"
