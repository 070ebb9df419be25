"""Asks every question of a file and tells what came of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace

from nescio.domain.answers import Answer, Quote
from nescio.domain.documents import Basis
from nescio.engine import Engine
from nescio.errors import QuestionFault
from nescio.evaluate.measuring.counting import figures
from nescio.evaluate.measuring.figures import Evaluation
from nescio.evaluate.measuring.lacking import Lacking
from nescio.evaluate.measuring.outcomes import Outcome
from nescio.evaluate.measuring.places import Pages
from nescio.evaluate.metrics.shares import share
from nescio.evaluate.questions.cases import Case
from nescio.evaluate.questions.reading import QuestionFile

# Passages of a ranking that are looked at: enough that five pages and five sections are among them.
LOOKED_AT = 50


def evaluate(
    engine: Engine,
    questions: QuestionFile,
    *,
    floor: float | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Evaluation:
    """Everything asked at one floor, the engine's own unless given. The same index and file give the same evaluation.

    `progress` is told after each question: how many are done, of how many, and its id. The expected places of the outcomes'
    cases have their `pages`. A question that is over a limit is an outcome with a fault; other faults are raised.
    """
    asking = _Asking(engine, floor)
    cases = questions.cases
    if any(case.expect for case in cases):
        located = Pages(engine.index).located
        cases = tuple(map(located, cases))
    outcomes = []
    for done, case in enumerate(cases, 1):
        outcomes.append(asking.ask(case))
        if progress is not None:
            progress(done, len(cases), case.id)
    exact = share(is_exact(engine, quote) for outcome in outcomes for quote in outcome.quotes)
    return Evaluation(
        file=questions.path,
        file_sha256=questions.sha256,
        index_id=engine.index_id,
        documents=engine.index.documents,
        passages=engine.index.passages,
        floor=engine.rules.floor if floor is None else floor,
        outcomes=tuple(outcomes),
        figures=figures(outcomes, exact, engine.rules.limit),
    )


class _Asking:
    """How each case is asked."""

    def __init__(self, engine: Engine, floor: float | None) -> None:
        self._engine = engine
        self._floor = floor
        self._lacking = Lacking(engine.index.languages)

    def ask(self, case: Case) -> Outcome:
        """What came of a case."""
        try:
            explained = self._engine.explain(case.question, floor=self._floor, depth=LOOKED_AT)
        except QuestionFault as fault:
            return Outcome(case, None, fault=fault.code)
        outcome = Outcome(case, explained.result, explained.hits)
        result = explained.result
        return replace(outcome, lacking=self._lacking.words(result)) if isinstance(result, Answer) else outcome


def is_exact(engine: Engine, quote: Quote) -> bool:
    """Whether the bytes that a quote cites are there as stored, have its hash and, of a verbatim one, are its text.

    Raises IndexFault when the stored file is not what it was.
    """
    cited: list[tuple[bytes, str]] = []
    for file, spans in quote.by_file():
        document = engine.index.document(file.document_sha256)
        cited += [(document.data[span.start_byte : span.end_byte], document.encoding) for span in spans]
    if hashlib.sha256(b"".join(data for data, _ in cited)).hexdigest() != quote.quote_sha256:
        return False
    text = "".join(data.decode(encoding, "replace") for data, encoding in cited)
    return quote.basis is not Basis.VERBATIM or text == quote.text
