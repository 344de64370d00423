"""
Connections for `requests` that enforce the deadline of a call.

`requests` limits each read from a socket, but not their sum: a server that sends one byte a second can hold
a call open indefinitely. It also allows the full connect timeout for each address of a host. The connection
classes below set the timeout of each read to the call's remaining time, and divide the connect timeout among
the addresses.
"""

import contextlib
import contextvars
import http.client
import io
import socket
from typing import Any, Dict, Iterator, Optional, Union, cast

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from ._deadline import Deadline

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
    """The file object of a socket. Each read times out at the current deadline."""

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

    def _read_status(self) -> Any:
        """
        Skips interim responses such as 103. http.client skips only 100, and would leave the final response in
        the connection, for the next request to read.
        """
        while True:
            line = cast(Any, super())._read_status()
            if not http.client.SWITCHING_PROTOCOLS < line[1] < http.client.OK:
                return line
            http.client.parse_headers(self.fp)


class _HTTPConnection(HTTPConnection):
    response_class = _Response

    def connect(self) -> None:
        _share_timeout(self)
        super().connect()


class _HTTPSConnection(HTTPSConnection):
    response_class = _Response

    def connect(self) -> None:
        _share_timeout(self)
        super().connect()


def _share_timeout(connection: Union[HTTPConnection, HTTPSConnection]) -> None:
    """
    Divides the connect timeout among the addresses of the host, because urllib3 allows the whole timeout for
    each of them. If the name has no address, urllib3 raises its own error.
    """
    with contextlib.suppress(OSError, UnicodeError):
        found = socket.getaddrinfo(connection.host, connection.port, type=socket.SOCK_STREAM)
        addresses = len({address[4][0] for address in found})
        if addresses > 1 and connection.timeout is not None:
            connection.timeout = connection.timeout / addresses


class _HTTPPool(HTTPConnectionPool):
    ConnectionCls: Any = _HTTPConnection


class _HTTPSPool(HTTPSConnectionPool):
    ConnectionCls: Any = _HTTPSConnection


_POOLS: Dict[str, Any] = {"http": _HTTPPool, "https": _HTTPSPool}


class DeadlineAdapter(HTTPAdapter):
    """The standard adapter of requests, with connections that enforce the current deadline."""

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = _POOLS

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        manager = super().proxy_manager_for(proxy, **options)
        if not proxy.lower().startswith("socks"):
            manager.pool_classes_by_scheme = _POOLS
        return manager
