"""Markdown, as people write it for MkDocs, VitePress, Docusaurus, Hugo, mdBook and Sphinx, to blocks with exact ranges.

The way of a page: front matter aside; what no reader sees masked at the same length; directives taken out; the rest read by
pulldown-cmark, whose byte ranges lead back to the page. A parser's fault here may pick a poor passage, never a false quote.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nescio.domain.documents import Block, BlockKind, Document, Notice, Page
from nescio.domain.spans import Span, line_starts
from nescio.ingest.parsers import hidden, markdown_directives, markdown_tags, templates
from nescio.ingest.parsers.fences import find_fences
from nescio.ingest.parsers.front_matter import FrontMatter, read_front_matter, title_of
from nescio.ingest.parsers.grouping import Region, grouped
from nescio.ingest.parsers.hidden import comment_spans
from nescio.ingest.parsers.markdown_directives import Directed, Placed, Places, read_directives
from nescio.ingest.parsers.markdown_feed import Texts, plain_feed, readable
from nescio.ingest.parsers.markdown_html import SCRIPT, TABLE_GAP, script_spans, table_gaps
from nescio.ingest.parsers.markdown_tags import Tags, find_tags
from nescio.ingest.parsers.markdown_tree import Tree, read_tree
from nescio.ingest.parsers.masking import blanked, mask
from nescio.ingest.parsers.mdx import mdx_spans, style_spans
from nescio.ingest.parsers.questions import question_regions, written_part

BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something in a text that its author should know: a notice without its file. `offset` is where it stands."""

    code: str
    offset: int
    message: str


def parse_markdown(document: Document, *, mdx: bool = False) -> Page:
    """The page that `document` holds; `mdx` says that JavaScript is mixed in. Never raises, whatever the text."""
    text = document.text
    start = 1 if text.startswith(BOM) else 0
    lines = readable(text)
    front = read_front_matter(lines, start)
    blocks, flaws = _blocks(text, lines, front, mdx)
    title = title_of(front.values) or next((block.title for block in blocks if block.kind is BlockKind.HEADING), "")
    starts = line_starts(text) if flaws else []
    notices = tuple(Notice(flaw.code, document.path, bisect_right(starts, flaw.offset), flaw.message) for flaw in flaws)
    return Page(document, title, blocks, front.values, notices)


def markdown_blocks(text: str, *, mdx: bool = False) -> tuple[tuple[Block, ...], tuple[Flaw, ...]]:
    """The blocks of a text that is part of something else (a notebook's cell): no front matter, spans count in `text`."""
    return _blocks(text, readable(text), FrontMatter(), mdx)


def _blocks(text: str, lines: str, front: FrontMatter, mdx: bool) -> tuple[tuple[Block, ...], tuple[Flaw, ...]]:
    directed = _prepared(lines, front, mdx)
    tree = read_tree(Texts(text, lines, directed.seen), directed.feed, front.end)
    blocks = _with_includes(tree, directed.includes) if directed.includes else tree.blocks
    return tuple(_grouped(blocks, [*directed.regions, *tree.regions], text)), tuple(_flaws(text, front, tree))


def _grouped(blocks: Sequence[Block], regions: Sequence[Region], text: str) -> list[Block]:
    """The blocks with their groups, those that questions make among them."""
    found = grouped(blocks, regions, text)
    questions = list(question_regions(found, lambda block: written_part(block, text)))
    return grouped(blocks, [*regions, *questions], text) if questions else found


def _prepared(lines: str, front: FrontMatter, mdx: bool) -> Directed:
    """What the Markdown parser is to read, the includes outside of code, and the boxes."""
    has_scripts = SCRIPT.search(lines) is not None
    has_comments = hidden.TRIGGER.search(lines) is not None
    has_templates = templates.TRIGGER.search(lines) is not None
    has_tags = markdown_tags.TRIGGER.search(lines) is not None
    has_gaps = TABLE_GAP.search(lines) is not None
    has_directives = has_gaps or front.rule is not None or markdown_directives.TRIGGER.search(lines) is not None
    if not (mdx or has_scripts or has_comments or has_templates or has_tags or has_directives):
        return Directed(plain_feed(lines, front.end), lines)
    fences = find_fences(lines)
    if has_scripts:
        lines = mask(lines, script_spans(lines, fences))
    if has_comments:
        lines = mask(lines, comment_spans(lines, fences, front.end))
    tags = find_tags(lines, fences, front.end, mdx=mdx) if has_tags else Tags()
    lines = blanked(lines, tags.hidden) if tags.hidden else lines
    if mdx:
        lines = mask(blanked(lines, style_spans(lines, fences)), mdx_spans(lines, fences, front.end))
    if has_templates:
        lines = mask(lines, templates.template_spans(lines, fences))
    if not (mdx or has_directives or tags.breaks):
        return Directed(plain_feed(lines, front.end), lines, regions=tags.regions)
    places = Places(front.rule, tags.breaks, list(table_gaps(lines, fences)) if has_gaps else ())
    directed = read_directives(lines, front.end, fences, places, mdx=mdx)
    return replace(directed, regions=[*tags.regions, *directed.regions])


def _with_includes(tree: Tree, includes: Sequence[Placed]) -> list[Block]:
    """The blocks with those of the includes at their places, but for one inside of code or of HTML (a comment, say)."""
    taken = sorted([(block.span.start, block.span.end) for block in tree.blocks] + tree.html)
    starts = [start for start, _ in taken]
    blocks = list(tree.blocks)
    for placed in includes:
        at = bisect_right(starts, placed.start) - 1
        if at < 0 or taken[at][1] <= placed.start:
            blocks.append(Block(BlockKind.CODE, Span(placed.start, placed.end), include=placed.include))
    return sorted(blocks, key=lambda block: block.span)


def _flaws(text: str, front: FrontMatter, tree: Tree) -> list[Flaw]:
    flaws = []
    if front.problem:
        kind = "YAML" if front.problem == "front-matter-not-yaml" else "TOML"
        flaws.append(
            Flaw(front.problem, front.end, f"the page starts like front matter but is no {kind} mapping; it is read as text")
        )
    starts = line_starts(text) if tree.unclosed else []
    for offset in tree.unclosed:
        line = bisect_right(starts, offset)
        flaws.append(Flaw("fence-unclosed", offset, f"fence opened at line {line} is never closed"))
    return flaws
