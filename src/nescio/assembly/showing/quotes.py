"""The blocks of an engine's quotes, the same for every door: from the documents that it keeps, in the formats configured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nescio.assembly.showing.display import display
from nescio.config.loading import Configuration
from nescio.domain.answers import Quote
from nescio.domain.display import ShownBlock
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
        """What a reader sees of a quote that `engine` gave. Raises IndexFault when its document is damaged."""
        document = engine.index.document(quote.document_sha256)
        is_included = quote.path != quote.page_path  # then it is read by its own name, as when it was indexed
        return display(quote, document, None if is_included else self.formats.get(quote.source))
