"""
The deadline of a call, and connections that keep it.

`requests` limits each read from a socket, but not their sum: a server that sends one byte a second can hold
a call open indefinitely. It also allows the full connect timeout for each address of a host. The connection
classes below set the socket's timeout to the call's remaining time before each connection attempt and each
read.
"""

import contextlib
import contextvars
import http.client
import io
import socket
import time
from typing import Any, Dict, Iterator, Optional, cast

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError
from urllib3.util.connection import allowed_gai_family, create_connection


class Deadline:
    """The end of a call, on the monotonic clock. It covers every attempt, delay and read of the call."""

    def __init__(self, timeout_s: float) -> None:
        self._end_s = time.monotonic() + timeout_s

    def remaining_s(self) -> float:
        return self._end_s - time.monotonic()


_current: "contextvars.ContextVar[Optional[Deadline]]" = contextvars.ContextVar(
    "ng_identity_deadline", default=None
)


@contextlib.contextmanager
def limit_reads(deadline: Deadline) -> Iterator[None]:
    """Applies the deadline to this thread's reads through a DeadlineAdapter, within the block."""
    before = _current.set(deadline)
    try:
        yield
    finally:
        _current.reset(before)


class _Reader(io.RawIOBase):
    """The file of a socket. Each read times out at the current deadline."""

    def __init__(self, file: io.RawIOBase, sock: socket.socket) -> None:
        super().__init__()
        self._file = file
        self._sock = sock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        deadline = _current.get()
        if deadline is not None:
            remaining_s = deadline.remaining_s()
            if remaining_s <= 0:
                raise socket.timeout("timed out")
            self._sock.settimeout(remaining_s)
        return cast(Optional[int], cast(Any, self._file).readinto(buffer))

    def close(self) -> None:
        self._file.close()
        super().close()


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp = io.BufferedReader(_Reader(self.fp.detach(), sock))


class _HTTPConnection(HTTPConnection):
    response_class = _Response

    def _new_conn(self) -> socket.socket:
        return _connect(self)


class _HTTPSConnection(HTTPSConnection):
    response_class = _Response

    def _new_conn(self) -> socket.socket:
        return _connect(self)


def _connect(connection: Any) -> socket.socket:
    """
    Returns a socket to the first address of the host that accepts the connection. The addresses share the
    connect timeout equally, and the TLS handshake gets the rest. Raises the same errors as urllib3's own
    `_new_conn`.
    """
    limit = Deadline(connection.timeout)
    call = _current.get() or limit
    failure: Exception = OSError("the host has no address")
    try:
        host, port, family = connection._dns_host, connection.port, allowed_gai_family()
        addresses = [str(found[4][0]) for found in socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)]
        for tried, address in enumerate(addresses):
            share_s = _remaining_s(limit, call) / (len(addresses) - tried)
            options = {"socket_options": connection.socket_options}
            try:
                sock = create_connection((address, port), share_s, connection.source_address, **options)
            except OSError as error:
                failure = error
            else:
                sock.settimeout(_remaining_s(limit, call))
                return sock
    except (OSError, UnicodeError) as error:
        failure = error
    if isinstance(failure, socket.timeout):
        raise ConnectTimeoutError(connection, "Connecting timed out.") from failure
    raise NewConnectionError(connection, f"The connection failed: {failure}") from failure


def _remaining_s(*deadlines: Deadline) -> float:
    """Returns a value above zero, because a socket with timeout 0 does not wait at all."""
    return max(0.001, min(deadline.remaining_s() for deadline in deadlines))


class _HTTPPool(HTTPConnectionPool):
    ConnectionCls = _HTTPConnection


class _HTTPSPool(HTTPSConnectionPool):
    ConnectionCls = _HTTPSConnection


_POOLS: Dict[str, Any] = {"http": _HTTPPool, "https": _HTTPSPool}


class DeadlineAdapter(HTTPAdapter):
    """The standard adapter of requests, with connections that keep the current deadline."""

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        manager = super().proxy_manager_for(proxy, **options)
        if not proxy.lower().startswith("socks"):
            manager.pool_classes_by_scheme = _POOLS
        return manager
