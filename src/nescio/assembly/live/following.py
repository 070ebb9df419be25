"""The newest generation of an index folder as one engine that many threads ask in turn, whoever builds and wherever."""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from nescio.assembly.live.background_faults import fault_of
from nescio.assembly.live.turns import Turns
from nescio.assembly.opening import open_index
from nescio.config.loading import Configuration
from nescio.engine import Engine
from nescio.errors import Fault, NotFoundFault, UsageFault
from nescio.index.reading import StoredIndex
from nescio.index.store import Store

LOOK_SECONDS = 0.05  # a look reads twenty bytes: so often costs nothing, and nobody notices the wait
RETRY_SECONDS = (
    2.0  # a generation that could not be opened (no memory, no permission) may be opened later: not ten times a second
)
WARMING = "What does frobnicatt mean?"  # no documentation has the word: the table of words for typing errors is read as well

OnChange = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Open:
    """An engine and what it stands on."""

    engine: Engine
    index_id: str
    generation: str


class Following:
    """An engine over the newest generation of an index folder that can be opened.

    `start` makes it look at the pointer twenty times a second. A new generation is opened aside and takes its place between two
    calls; where it cannot be opened, the older one goes on and `fault` says why. Without `start` it stays with what `engine`
    or `look` opened. All methods may be called from any thread. Use it as a context, or `close` it.
    """

    def __init__(self, configuration: Configuration, index: Path) -> None:
        self._configuration = configuration
        self._index = index
        self._store = Store(index)
        self._turns = Turns()
        self._looking = threading.Lock()  # one opens, the others wait for what it finds
        self._open: _Open | None = None
        self._fault: Fault | None = None
        self._tried = ""  # the generation that was opened last, or could not be
        self._retry_at = 0.0
        self._listeners: tuple[OnChange, ...] = ()
        self._told = ""
        self._completing = ""  # the generation whose titles and headings were put in order last
        self._wake = threading.Event()
        self._is_closed = False
        self._thread: threading.Thread | None = None

    @property
    def index_id(self) -> str | None:
        """What is asked now, as one name; None while nothing is open."""
        return self._open.index_id if self._open else None

    @property
    def generation(self) -> str | None:
        """The generation that is asked now; None while nothing is open."""
        return self._open.generation if self._open else None

    @property
    def fault(self) -> Fault | None:
        """Why the newest generation cannot be opened, while an older one may still answer; None when all is well."""
        return self._fault

    def on_change(self, callback: OnChange) -> None:
        """Call `callback` with the index_id after each swap, the first opening too, from the following thread.

        What it raises is dropped: following goes on.
        """
        self._listeners = (*self._listeners, callback)

    def start(self) -> None:
        """Start following, in a thread. Returns at once: `engine` waits for the first opening."""
        if self._thread is None and not self._is_closed:
            self._thread = threading.Thread(target=self._follow, name="nescio-following", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop following and let go of the index, once the call that has it ends."""
        self._is_closed = True
        self._wake.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        with self._looking:
            self._swap(None)

    @contextmanager
    def engine(self) -> Iterator[Engine]:
        """The engine, for one caller at a time, in the order in which they came.

        Raises the fault that keeps it from being opened: NotFoundFault (`no-index`) while there is none, IndexFault,
        StorageFault; UsageFault (`index-closed`) after `close`. Inside, neither it nor `look` nor `close` may be called.
        """
        if self._open is None:
            self._renew()
        with self._turns:
            if self._open is None:
                raise self._why_none()
            yield self._open.engine

    def look(self) -> str:
        """Look at the pointer now, open what is new, and return the index_id. Raises the fault where that cannot be done."""
        self._renew(again=True)
        self._wake.set()
        if self._fault is not None or self._open is None:
            raise self._why_none()
        return self._open.index_id

    def __enter__(self) -> Following:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _follow(self) -> None:
        while not self._is_closed:
            self._renew()
            self._tell()
            self._put_in_order()
            self._wake.wait(LOOK_SECONDS)
            self._wake.clear()

    def _tell(self) -> None:
        now = self._open
        if now is None or now.generation == self._told:
            return
        self._told = now.generation
        for listener in self._listeners:
            with suppress(Exception):
                listener(now.index_id)

    def _put_in_order(self) -> None:
        """Have ready what completes what is typed, which takes half a second for 8,000 pages. No turn is taken for it, so that
        questions go on: it is made of what never changes, and kept when it is whole.
        """
        now = self._open
        if now is not None and now.generation != self._completing:
            self._completing = now.generation
            with suppress(Exception):  # closed meanwhile: then the next one is opened already
                now.engine.suggest("")

    def _renew(self, *, again: bool = False) -> None:
        """Open the newest generation where it is not open. One that could not be opened is tried after a while, or `again`."""
        with self._looking:
            if self._is_closed:
                return
            try:
                name = self._store.generation().name
                if self._open is None or self._open.generation != name:
                    if not again and name == self._tried and time.monotonic() < self._retry_at:
                        return
                    self._tried, self._retry_at = name, time.monotonic() + RETRY_SECONDS
                    self._swap(self._opened())
                self._fault = None
            except Exception as error:  # whatever it is, the engine that is there goes on
                self._fault = fault_of(error)

    def _opened(self) -> _Open:
        engine = open_index(self._configuration, self._index)
        try:
            self._warm(engine)
            stored = engine.index
            return _Open(engine, engine.index_id, stored.generation if isinstance(stored, StoredIndex) else engine.index_id)
        except BaseException:
            engine.close()
            raise

    def _warm(self, engine: Engine) -> None:
        """Have read what the first questions need, those of the server's own reader view too."""
        engine.ask(WARMING)
        reader_view = self._configuration.settings.serve.reader_view
        if reader_view:
            with suppress(UsageFault):  # a facet that this index does not know: whoever asks is told
                engine.within(reader_view=reader_view).ask(WARMING)

    def _swap(self, new: _Open | None) -> None:
        with self._turns:
            old, self._open = self._open, new
        if old is not None:
            old.engine.close()

    def _why_none(self) -> Fault:
        if self._is_closed:
            return UsageFault(
                "index-closed", "The index was let go of: what answered questions is stopping.", "Start it again."
            )
        # A copy: each raise adds its own stack to the exception.
        return copy.copy(self._fault) if self._fault else NotFoundFault("no-index", f"There is no index in {self._index}.")
