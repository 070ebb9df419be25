"""Is the request meant for this server? Its Host must be a name of ours.

A page somewhere can give its own name the address of this machine, and a browser then takes what it fetches for the page's own
(DNS rebinding). The browser sends the page's name along, so a name that is not ours is turned away. An address cannot be
rebound.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.types import Scope

from nescio.config.serving import Serve
from nescio.errors import ConfigFault
from nescio.surfaces.web.problems import RequestFault
from nescio.surfaces.web.visits import Visit, headers

LOCAL = "localhost"
WILDCARD = "*."
MOST_CHARACTERS = 261  # of a name and a port


class Hosts:
    """The names that requests may be sent to."""

    def __init__(self, settings: Serve) -> None:
        bound = settings.host.strip("[]").lower()
        named = [_pattern(name) for name in settings.hosts]
        self._names = frozenset(name for name in (*named, LOCAL, bound) if not name.startswith(WILDCARD))
        self._below = tuple(name.removeprefix("*") for name in named if name.startswith(WILDCARD))
        self._takes_addresses = not is_loopback(bound)

    def check(self, scope: Scope, visit: Visit) -> None:
        """Raises RequestFault (`host-not-allowed`)."""
        given = headers(scope, b"host")
        if len(given) == 1 and self.has(given[0].decode("latin-1")):
            return
        raise RequestFault(
            "host-not-allowed",
            "The request was sent to a name that is not this server's.",
            "Use its address, or add the name to serve.hosts.",
        )

    def has(self, host: str) -> bool:
        """Whether a Host header, with or without a port, is one of ours."""
        if len(host) > MOST_CHARACTERS:
            return False
        name = host_name(host)
        if name in self._names or (self._below and name.endswith(self._below)):
            return True
        address = address_of(name)
        return address is not None and (self._takes_addresses or address.is_loopback)


def host_name(host: str) -> str:
    """The name or address in a Host header: lower case, without port, brackets and the dot at the end; empty for none."""
    if host.startswith("["):
        name, closed, port = host[1:].partition("]")
        return name.lower() if closed and (not port or _is_port(port)) else ""
    name, colon, port = host.partition(":")
    if colon and not _is_port(colon + port):
        return ""
    return name.lower().removesuffix(".")


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what is bound to `host`."""
    address = address_of(host)
    return host == LOCAL if address is None else address.is_loopback


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """The address that a text is, None where it is none."""
    try:
        return ip_address(text)
    except ValueError:
        return None


def _is_port(text: str) -> bool:
    return text == ":" or (text.startswith(":") and text[1:].isascii() and text[1:].isdigit())


def _pattern(name: str) -> str:
    """A name of the settings as it is compared. Raises ConfigFault."""
    plain = name.lower().removesuffix(".")
    if not host_name(plain.removeprefix(WILDCARD)) or "*" in plain.removeprefix(WILDCARD) or "/" in plain:
        raise ConfigFault(
            "config-wrong-value",
            f'serve.hosts has "{name}"; expected: a name such as docs.example.org, or *.example.org.',
            "Write the name alone, without https:// and path.",
        )
    return plain if plain.startswith(WILDCARD) else host_name(plain)
