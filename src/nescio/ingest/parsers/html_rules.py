"""What HTML elements mean for reading: which begin a block, which are not read, and where the main content is."""

from __future__ import annotations

from collections.abc import Sequence

from nescio.ingest.parsers.html_tokens import Token


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = _names(
    """
    area base br col embed hr img input link meta param source track wbr
    """
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
BLOCKS = _names(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol optgroup option p pre search section
    summary table tbody td tfoot th thead tr ul
    """
)
LIST_ITEMS = frozenset({"li", "dt"})
CODE_WORDS = frozenset({"code", "kbd", "samp", "tt", "var"})

# A start tag of the key ends an open element of the first names, unless one of the second is open inside of it.
CLOSED_BY = {
    "li": (("li",), ("ul", "ol", "menu", "dir")),
    "dt": (("dt", "dd"), ("dl",)),
    "dd": (("dt", "dd"), ("dl",)),
    "tr": (("td", "th", "tr"), ("table",)),
    "td": (("td", "th"), ("table", "tr")),
    "th": (("td", "th"), ("table", "tr")),
    "tbody": (("td", "th", "tr", "thead", "tbody", "caption"), ("table",)),
    "tfoot": (("td", "th", "tr", "thead", "tbody"), ("table",)),
    "thead": (("caption",), ("table",)),
    "option": (("option",), ("select",)),
}

# Elements that are not read wherever they stand.
DROPPED = _names(
    """
    button canvas datalist dialog embed footer head iframe input map nav noscript object script search select style
    svg template textarea title video audio xmp
    """
)
DROPPED_ROLES = _names(
    """
    banner complementary contentinfo navigation search
    """
)
DROPPED_CLASSES = _names(
    """
    anchor-link anchorjs-link breadcrumb breadcrumbs copybtn edit-this-page genindex-jumpbox hash-link headerlink
    id_link linenos navfooter navheader pagination pagination-nav prev-next-area related rst-footer-buttons
    screen-reader-text sidebar sphinxsidebar sr-only table-of-contents toc toctree-wrapper visually-hidden
    wy-breadcrumbs wy-nav-side
    """
)
# An `aside` is beside the matter, except where a generator writes its notes and footnotes with it.
ASIDES_READ = _names(
    """
    admonition callout caution danger footnote footnote-list important note starlight-aside tip warning
    """
)
# Tables that only put things side by side.
LAYOUT_TABLES = frozenset({"highlighttable", "rouge-table", "lntable"})

# Where the main content is, best first. Ids and classes are those of documentation generators.
CONTENT_IDS = _names(
    """
    bodycontent content docs-content main main-content mw-content-text
    """
)
CONTENT_CLASSES = _names(
    """
    body document markdown-body md-content rst-content section theme-doc-markdown
    """
)


def is_dropped(name: str, attributes: dict[str, str], *, is_in_content: bool) -> bool:
    """Whether nothing inside this element is read. `is_in_content` says that the main content was found by name.

    A tab that is not chosen is hidden, but readers can choose it.
    """
    role = attributes.get("role", "").lower()
    if (name in DROPPED and not (name == "button" and role == "tab")) or (name == "header" and not is_in_content):
        return True
    if not attributes:
        return name == "aside"
    classes = set(attributes.get("class", "").split())
    if name == "aside" and not classes & ASIDES_READ:
        return True
    return (
        ("hidden" in attributes and attributes["hidden"] != "until-found" and role != "tabpanel")
        or attributes.get("aria-hidden", "").lower() == "true"
        or role in DROPPED_ROLES
        or not classes.isdisjoint(DROPPED_CLASSES)
        or ("topic" in classes and "contents" in classes)
        or "display:none" in attributes.get("style", "").replace(" ", "").lower()
    )


def main_content(text: str, tokens: Sequence[Token]) -> tuple[int, int, bool]:
    """The range of `tokens` inside the main content, and whether it was found by name; else inside `body`, else all."""
    best_rank, best = 9, -1
    for index, token in enumerate(tokens):
        if token.opens and token.name in ("main", "article", "div", "section", "body", "td", "table"):
            rank = _rank(token, text)
            if rank < best_rank:
                best_rank, best = rank, index
    if best < 0:
        return 0, len(tokens), False
    return best + 1, _matching_end(tokens, best), best_rank < BODY_RANK


BODY_RANK = 5


def _rank(token: Token, text: str) -> int:
    """0 is best; 9 is no content at all."""
    if token.name == "main":
        return 0
    attributes = token.attributes(text)
    if attributes.get("role", "").lower() == "main":
        return 0
    if token.name == "article":
        return 1
    if attributes.get("id", "").lower() in CONTENT_IDS:
        return 2
    if token.name == "div" and CONTENT_CLASSES & set(attributes.get("class", "").lower().split()):
        return 3
    return BODY_RANK if token.name == "body" else 9


def _matching_end(tokens: Sequence[Token], index: int) -> int:
    """The index of the end tag that belongs to the start tag at `index`; the end when there is none."""
    name, depth = tokens[index].name, 0
    for position in range(index, len(tokens)):
        token = tokens[position]
        if token.name == name:
            depth += 1 if token.opens else -1
            if depth == 0:
                return position
    return len(tokens)
