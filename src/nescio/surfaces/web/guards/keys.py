"""Does the request need a key, and is it one that may do this?"""

from __future__ import annotations

from starlette.types import Scope as Request

from nescio.config.serving import Serve
from nescio.surfaces.web.keyring import PREFIX, Key, KeyRing, Scope
from nescio.surfaces.web.problems import RequestFault
from nescio.surfaces.web.visits import Visit, header

BEARER = b"bearer "
MOST_BYTES = 200  # of a key in a header
# The first path that begins so tells what a key must be allowed to do; everything else is open.
_NEEDED: tuple[tuple[str, Scope], ...] = (
    ("/v1/reload", Scope.ADMIN),
    ("/v1/feedback", Scope.FEEDBACK),
    ("/v1/", Scope.ASK),
    ("/mcp", Scope.ASK),
    ("/llms", Scope.ASK),
    ("/pages/", Scope.ASK),
)


class Keys:
    """Asks for keys where the settings or the path want one."""

    def __init__(self, settings: Serve, ring: KeyRing) -> None:
        self._ring = ring
        self._free = frozenset({Scope.ASK, Scope.FEEDBACK} if settings.anonymous else ())

    def check(self, scope: Request, visit: Visit) -> None:
        """Notes whose key it is.

        Raises RequestFault: `key-unknown`, `key-needed`, `key-not-allowed`, and StorageFault where the keys cannot be read.
        """
        needed = next((scope_needed for start, scope_needed in _NEEDED if visit.path.startswith(start)), None)
        if needed is None:
            return
        visit.key = self._key(scope)
        if visit.key is None and needed not in self._free:
            raise RequestFault(
                "key-needed",
                "This needs an API key.",
                "Send it as `Authorization: Bearer KEY`; `nescio serve keys add NAME` makes one.",
            )
        if visit.key is not None and needed not in visit.key.scopes and needed not in self._free:
            raise RequestFault(
                "key-not-allowed",
                f"The key is not for this: it lacks the scope {needed.value}.",
                f"Make another one with `nescio serve keys add NAME --scope {needed.value}`.",
            )

    def _key(self, scope: Request) -> Key | None:
        """The key of a request, None where it has none of ours. Raises RequestFault where there is no such key."""
        given = _given(scope)
        if given is None:
            return None
        key = self._ring.find(given)
        if key is None:
            raise RequestFault(
                "key-unknown", "There is no such API key.", "It may have been revoked: ask whoever runs this server."
            )
        return key


def _given(scope: Request) -> str | None:
    """What was sent as a key: what does not look like one of ours is for somebody else, such as a proxy."""
    given = header(scope, b"x-api-key")
    if given is None:
        said = header(scope, b"authorization") or b""
        given = said[len(BEARER) :].strip() if said[: len(BEARER)].lower() == BEARER else None
    if given is None or not given.startswith(PREFIX.encode("ascii")) or len(given) > MOST_BYTES:
        return None
    return given.decode("latin-1")
