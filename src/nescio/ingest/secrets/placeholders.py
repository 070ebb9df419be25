"""What has the shape of a secret and is none: stand-ins that a reader is to replace, and samples that everybody knows."""

from __future__ import annotations

import hashlib
import re
from itertools import pairwise

FEWEST_DISTINCT = 6  # characters in a token of 16 or more: a random one of hexadecimal digits has about 10 at least
SHORTEST_COUNTED = 16
LONGEST_RUN = 6  # of one character: no random token of this length has it
SEQUENCE = 6  # characters that follow each other, as in 123456 and abcdef
SCATTERED = 8  # the same with others between, as in 1a2b3c4d5e6f7g8h
_STAND_INS = re.compile(
    r"example|xample|xmpl|sample|your[-_]|[-_]your|yourtoken|yourkey|yoursecret|changeme|change[-_]me|change[-_]this|placeholder|dummy"
    r"|redacted|fakekey|fake[-_]|[-_]fake|foobar|xxxx|\*\*\*\*|\.\.\.|deadbeef|replace[-_]?me|replace[-_]with|replace[-_]this"
    r"|insert[-_]|todo[-_]|notreal|not[-_]a[-_]real|secretkey|mysecret|my[-_]secret|mytoken|my[-_]token|password|lorem|123456789"
    r"|token[-_]here|key[-_]here|secret[-_]here|testtest|qwerty|asdf",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"\$\{|\{\{|\$\(|<%|%\(|\$[A-Z_]|environ|getenv|process\.env|secrets\.", re.IGNORECASE)
_REPEATED = re.compile(rf"(.)\1{{{LONGEST_RUN - 1}}}")
# SHA-256 of samples that well-known documentation prints (AWS, Azure's emulators, FastAPI, Kubernetes, OpenShift, Stripe), each
# of them looked at: so that they stand nowhere in this project, where another tool would find them.
DOCUMENTED = frozenset(
    {
        "0011cc25eb4320717494d2703e8cba85743e71b500283c21c8b88147992f9059",
        "19bc2515301938d371379edae6ece9448e686432ee7dca91de58d2872608b182",
        "1ae54d8efa79cf969e3a6839b370de9cddb505b6e04c54c1d0083d3fb31f45cf",
        "2cafc0970149a84f3b9e62eaf169f36f59907a3b3e31f7b82e68c69cd27f7326",
        "3002888f967a7086ab52fcc9e8bbc3e46724c349828ce6c8625b850a7036e876",
        "389389b32878999ef696ad81200cd3a7519e99de54b592f0704acc05457854ce",
        "390621839672534368be60450d384262ac3b8cf73d3f427b58e7114b04e8b05c",
        "3efafe12de7a42d16ed2090bc48a71d96a962828c01ad4cb82899f8ca83d5d4d",
        "4302adb9ebe29b6e06f88a8c5c44c8829b8739cde4d99cb77345dcf88673db36",
        "4edc2140b78328cbeeef58bc963fedc68fe531128eaa1cec451dbf44f84740d6",
        "570dad43de1af4c925f92c16a68a50936da42b7dd6fdeb24850507a1199aac89",
        "5cb8855856ffe0dc8cd567835e38ad09de34a30ddf2b8fdae74847b41ccd6c09",
        "6120c8482dda9663acd5679e6e7996c4e490a29208e94d559fd5c3c6d9c3eb80",
        "6e60d3fedbd74fa98dae887ef11741c66065c53723df55b8653d1b338309494c",
        "768df4dd28e81ed232cc46504f5498ab407614f980a984e810becad221950a60",
        "7e8de44ea9ecf6d53415c90f5b249a8591f7abafbf7d65a2c0d855afeca3ec09",
        "87773dbb2dde46926d878a59ceb448ba53d00f25a47101e1b0dd5522a638a492",
        "8dbbf9e18891d23890045ed4e26afd0bcae601b5e3e6cd4f1e4be14585157dbc",
        "8ddc460cc29f06faa26876fda5de61a767490892b4e53a5d5ba1d0ef77e9feda",
        "9aa54cb924306f208df43d1368add179e1095d5dc2c52d5b2dd0546bd22ffc0a",
        "a016632121c3bb3bc84195ea17cf3fe3e18e65934d0dbfd8345b6b81584d6f65",
        "a2b460bac40bbec43cc25efb6248e64b1e418298b5f2aa0fb779d127a44a4675",
        "a42a366ef43d462e7e368f9c29ac8b0b89c07029b80effe8ed401aa13a874aff",
        "a7b580d711ef2807c7f11d881a1e7ff8a68c7e7d4e7c14e217bc9c522e3678ba",
        "aa6547439583c3a275d4542a0df6c1ad6a863971be9f2a2220f027cc02aef615",
        "d27713a4fb1f6ffbfc8b08be5d405f63a7955fd13114acfac77e05645dac7afb",
        "e25641fa6f7abea57cc26d586399c60538f692acdf98eeb4b01033d64c66ee0e",
        "f2d6ca16515033e5dce14eba840b979d27b5cbae24bb3e5bf484339667f86397",
    }
)


def is_placeholder(value: str) -> bool:
    """Whether a value that has a secret's shape is a stand-in: it says so, repeats itself, counts up, or is a known sample."""
    if _STAND_INS.search(value) or _TEMPLATE.search(value) or _REPEATED.search(value):
        return True
    if len(value) >= SHORTEST_COUNTED and len(set(value)) < FEWEST_DISTINCT:
        return True
    return _counts_up(value) or is_documented(value)


def is_documented(value: str) -> bool:
    """Whether it is a sample that documentation prints for everybody."""
    return hashlib.sha256(value.encode("utf-8")).hexdigest() in DOCUMENTED


def _counts_up(value: str) -> bool:
    """Whether it holds a sequence, or its letters or digits alone do: `1a2b3c4d5e6f7g8h` counts up too."""
    lower = value.lower()
    scattered = ("".join(filter(str.isdigit, lower)), "".join(filter(str.isalpha, lower)))
    return _longest_sequence(lower) >= SEQUENCE or any(_longest_sequence(some) >= SCATTERED for some in scattered)


def _longest_sequence(text: str) -> int:
    """The length of the longest stretch of neighbours in the alphabet, up or down."""
    longest, length, step = 0, 1, 0
    for before, after in pairwise(text):
        now = ord(after) - ord(before)
        length = (length + 1 if now == step else 2) if now in (1, -1) else 1
        longest, step = max(longest, length), now
    return longest
