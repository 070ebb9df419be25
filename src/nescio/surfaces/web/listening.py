"""Opens the socket that the server listens on, so that an address that is taken is told as a fault."""

from __future__ import annotations

import ipaddress
import socket

from nescio.errors import UsageFault

BACKLOG = 1024


def listen(host: str, port: int) -> socket.socket:
    """A listening socket. Raises UsageFault (`address-not-usable`)."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        opened = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        raise _fault(host, port, error) from error
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(BACKLOG)
    except OSError as error:
        opened.close()
        raise _fault(host, port, error) from error
    return opened


def url_of(listening: socket.socket, root_path: str = "") -> str:
    """Where a browser on this machine finds it."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104
        host = "127.0.0.1" if host == "0.0.0.0" else "::1"  # noqa: S104
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}{root_path}/"


def is_local(listening: socket.socket) -> bool:
    """Whether only this machine reaches it."""
    return ipaddress.ip_address(listening.getsockname()[0].partition("%")[0]).is_loopback


def _fault(host: str, port: int, error: Exception) -> UsageFault:
    reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    return UsageFault(
        "address-not-usable",
        f"The server cannot listen on {host}, port {port}: {reason}.",
        "Choose another address with --host, or another port with --port; port 0 takes a free one.",
    )
