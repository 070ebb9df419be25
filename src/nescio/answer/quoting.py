"""From a passage to a quote: exact slices of stored bytes, hashed again before they are shown."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace

from nescio.answer.links import page_url, permalink, text_url
from nescio.domain.answers import Quote, Related
from nescio.domain.documents import BlockKind, Document, Passage
from nescio.domain.spans import Offsets, meeting, remaining
from nescio.errors import IndexFault
from nescio.protocols import PassageAt

_DASH_BEFORE_WORD = re.compile(r"(?<![\w\u2013\u2014])\u2013(?=[A-Za-z])")


def quoted(at: PassageAt, passage: Passage, document: Document, base: float = 0.0, preference: float = 0.0) -> Quote:
    """`passage`, which is the one at `at` or a part of it, as a quote. The id is that of the whole.

    Raises IndexFault when what would be shown is not what the bytes say.
    """
    passage = unmasked(passage, document)
    offsets = Offsets(document.text, document.encoding)
    places = tuple(offsets.place(span) for span in passage.spans)
    slices = [document.data[place.start_byte : place.end_byte] for place in places]
    text = "".join(part.decode(document.encoding) for part in slices)
    if text != "".join(span.of(document.text) for span in passage.spans):
        raise IndexFault(
            "index-damaged",
            f"The quote from {passage.path} is not what is stored.",
            "Remove the index folder and build it again: nescio build.",
        )
    return Quote(
        text=text if passage.shown is None else "\n\n".join(passage.shown),
        basis=passage.basis,
        spans=places,
        passage_id=at.passage.id,
        source=passage.source,
        path=passage.path,
        page_path=passage.page_path,
        version=at.version,
        title=passage.title,
        heading_path=passage.heading_path,
        url=page_url(at),
        document_sha256=passage.document_sha256,
        quote_sha256=hashlib.sha256(b"".join(slices)).hexdigest(),
        base=base,
        preference=preference,
        stored_sha256=document.stored_sha256,
        text_url=text_url(at, _shown_blocks(passage, document)),
        permalink=permalink(at, places),
    )


def _shown_blocks(passage: Passage, document: Document) -> Iterator[tuple[BlockKind, str]]:
    """What of the passage's blocks is shown, in order."""
    texts = passage.shown or [span.of(document.text) for _, span in passage.blocks]
    for (kind, span), text in zip(passage.blocks, texts, strict=True):
        if meeting(passage.spans, span):
            yield kind, text


def unmasked(passage: Passage, document: Document) -> Passage:
    """The passage without what is masked in its document; of decoded text, without the blocks that have something masked.
    Nothing may be left: then it has no spans.
    """
    if not document.masked:
        return passage
    if passage.shown is None:
        return replace(passage, spans=remaining(passage.spans, document.masked))
    told = list(zip(passage.blocks, passage.shown, strict=True))
    kept = [(block, text) for block, text in told if not meeting(document.masked, block[1])]
    hidden = [block[1] for block, _ in told if meeting(document.masked, block[1])]
    return replace(
        passage,
        spans=remaining(remaining(passage.spans, hidden), document.masked),
        blocks=tuple(block for block, _ in kept),
        shown=tuple(text for _, text in kept),
    )


def related(at: PassageAt, base: float) -> Related:
    """A place near the question, without words of it."""
    passage = at.passage
    return Related(
        passage.id,
        passage.source,
        passage.page_path,
        at.version,
        passage.title,
        passage.heading_path,
        at.start_line,
        page_url(at),
        base,
    )


def has_typographic_flag(text: str) -> bool:
    """Whether a text shows an en dash where a command line needs two hyphens."""
    return _DASH_BEFORE_WORD.search(text) is not None
