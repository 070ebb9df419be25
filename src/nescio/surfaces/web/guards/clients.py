"""Who asks? The address of the connection; behind proxies that are trusted, the last address that they did not make up.

What a client writes into X-Forwarded-For is worth nothing: each proxy adds the address it saw at the right, so it is read from
there, over trusted proxies, up to the first that is not. An IPv6 client has a whole network to choose addresses from, and is
known by that network.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

from starlette.types import Scope

from nescio.config.serving import Serve
from nescio.errors import ConfigFault
from nescio.surfaces.web.guards.hosts import address_of
from nescio.surfaces.web.visits import Visit, headers
from nescio.surfaces.working import CLIENT

UNKNOWN = "unknown"  # a peer without an address, as that of a local socket
KNOWN_PEERS = 1_024  # that are remembered, since reading an address takes longer than looking it up
MOST_HOPS = 16  # more proxies in a row than anybody has
NETWORK_BITS = 64  # of an IPv6 address: what one customer gets at least
_HOST_BITS = 128 - NETWORK_BITS

Address = IPv4Address | IPv6Address


class Clients:
    """Tells clients apart."""

    def __init__(self, settings: Serve) -> None:
        self._trusted = tuple(_network(text) for text in settings.trusted_proxies)
        self._known = lru_cache(KNOWN_PEERS)(self._peer)

    def check(self, scope: Scope, visit: Visit) -> None:
        """Notes who the client is, for whoever shares out the work too. Raises nothing."""
        client = scope.get("client")
        visit.client, is_trusted = self._known(client[0]) if client else (UNKNOWN, False)
        if is_trusted:
            forwarded = self._forwarded(scope)
            visit.client = visit.client if forwarded is None else shown(forwarded)
        CLIENT.set(visit.client)

    def peer(self, host: str) -> str | None:
        """How the other end of a connection is known; None for a trusted proxy, through which many come."""
        name, is_trusted = self._known(host)
        return None if is_trusted else name

    def _peer(self, host: str) -> tuple[str, bool]:
        """How a peer is known, and whether it is a trusted proxy."""
        address = _hop(host)
        return (UNKNOWN, False) if address is None else (shown(address), self._is_trusted(address))

    def _forwarded(self, scope: Scope) -> Address | None:
        """The right-most hop that is not trusted, else the left-most; None where a hop on the way is no address."""
        found = None
        hops = b",".join(headers(scope, b"x-forwarded-for")).decode("latin-1").rsplit(",", MOST_HOPS)
        for hop in reversed(hops[-MOST_HOPS:]):
            found = _hop(hop.strip())
            if found is None or not self._is_trusted(found):
                break
        return found

    def _is_trusted(self, address: Address) -> bool:
        return any(address in network for network in self._trusted)


def shown(address: Address) -> str:
    """How a client is known: its IPv4 address, or the network of its IPv6 address."""
    if isinstance(address, IPv4Address):
        return str(address)
    return f"{IPv6Address(int(address) >> _HOST_BITS << _HOST_BITS)}/{NETWORK_BITS}"


def _hop(text: str) -> Address | None:
    """The address in a hop, with or without a port."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    address = address_of(text)
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _network(text: str) -> IPv4Network | IPv6Network:
    """A network of the settings. Raises ConfigFault."""
    try:
        return ip_network(text, strict=False)
    except ValueError:
        raise ConfigFault(
            "config-wrong-value",
            f'serve.trusted_proxies has "{text}"; expected: an address or a network, as 10.0.0.0/8.',
            "Write the address that the proxy connects from.",
        ) from None
