"""The blocks of an engine's quotes, the same for every door: from the documents that it keeps, in the formats configured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from nescio.assembly.showing.display import display
from nescio.config.loading import Configuration
from nescio.domain.answers import Quote, QuotedSpan
from nescio.domain.display import ShownBlock
from nescio.domain.spans import Span
from nescio.engine import Engine


@dataclass(frozen=True, slots=True)
class Showing:
    """Shows quotes of an index that was built with a configuration. `formats` are by name of source; others go by the file."""

    formats: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, configuration: Configuration) -> Showing:
        """With the formats that are set for sources."""
        return cls({source.name: source.format for source in configuration.settings.sources})

    def blocks(self, quote: Quote, engine: Engine) -> tuple[ShownBlock, ...]:
        """What a reader sees of a quote that `engine` gave, file by file, with what answers marked. Raises IndexFault when a
        document is damaged.
        """
        files = list(quote.by_file())
        return tuple(block for _, spans in files for block in self._of_file(quote, spans, engine, is_whole=len(files) == 1))

    def _of_file(
        self, quote: Quote, spans: tuple[QuotedSpan, ...], engine: Engine, *, is_whole: bool
    ) -> tuple[ShownBlock, ...]:
        document = engine.index.document(spans[0].document_sha256)
        path, sha256 = spans[0].path, spans[0].document_sha256
        text = quote.text if is_whole else "".join(document.text[span.start : span.end] for span in spans)
        part = replace(quote, text=text, spans=spans, path=path, document_sha256=sha256)
        is_included = path != quote.page_path  # then it is read by its own name, as when it was indexed
        marks = [Span(mark.start, mark.end) for mark in quote.highlights if any(map(mark.is_inside, spans))]
        return display(part, document, None if is_included else self.formats.get(quote.source), marks)
