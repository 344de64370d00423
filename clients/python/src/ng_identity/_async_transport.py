"""Sends the requests of AsyncIdentityClient, with `httpx`."""

# cspell:ignore cafile capath

import asyncio
import contextlib
import os
import ssl
import sys
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Dict, Generator, List, Mapping, Optional, Tuple, Union, cast

import anyio
import httpx

from ._belonging import foreign_response, is_foreign
from ._certificates import authorities
from ._failures import causes_of, connection_failure, has, is_rejected_client, raised_by_signal_handler
from ._http import Headers, Request, Response
from ._key import Key
from ._retry import Attempts
from ._transport import CLOSED, CONNECTIONS_KEPT, LONGEST_CONNECT_S, user_agent


class _KeyAuth(httpx.Auth):
    """Adds the API key to a request, so that neither .netrc nor the base URL can replace it."""

    def __init__(self, key: Key) -> None:
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = self._key.authorization()
        yield request


# An event loop that has ended raises RuntimeError.
LIBRARY_ERRORS = (
    httpx.HTTPError,
    httpx.InvalidURL,
    OSError,
    TimeoutError,
    RuntimeError,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
)
NOT_CONNECTED = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
    httpx.InvalidURL,
)
Clients = Dict[Tuple[int, asyncio.AbstractEventLoop], httpx.AsyncClient]


class AsyncTransport:
    """
    Sends requests to one base URL. Concurrent tasks can share it. Each event loop and each process has
    connections of its own.
    """

    def __init__(self, base_url: str, client: Optional[httpx.AsyncClient]) -> None:
        self._base_url = base_url
        self._client = client
        # For the first loop. Reading the certificates of all authorities takes time, which a call may lack.
        self._unused = [] if client is not None else [_new_client()]
        self._clients: Clients = {}
        self._user_agent = user_agent(f"httpx/{httpx.__version__}")
        self._is_closed = False

    async def close(self) -> None:
        """Closes the connections of this event loop, unless the caller supplied the client."""
        self._is_closed = True
        if self._client is None:
            await self._client_of_loop().aclose()

    async def send(
        self, request: Request, headers: Mapping[str, str], key: Key, attempts: Attempts
    ) -> Response:
        """
        Returns the complete response, whatever its status. Raises AttemptError if none arrives, and
        RuntimeError if the client is closed.
        """
        if self._is_closed:
            raise RuntimeError(CLOSED)
        deadline = attempts.attempt_deadline()
        remaining_s = max(deadline.remaining_s(), 0.001)
        handled = sys.exc_info()[1]
        progress = _Progress()
        try:
            with anyio.fail_after(remaining_s):
                async with contextlib.AsyncExitStack() as opened:
                    client = self._client_of_loop()
                    if self._client is None and attempts.needs_new_connection:
                        client = await opened.enter_async_context(_new_client())
                    call = client.stream(
                        request.method,
                        self._base_url + request.path,
                        json=request.body,
                        params=request.query,
                        headers={"User-Agent": self._user_agent, **headers, **request.headers},
                        auth=_KeyAuth(key),
                        timeout=httpx.Timeout(None, connect=LONGEST_CONNECT_S),
                        # A redirect may change a POST to a GET, or send the body to another host.
                        follow_redirects=False,
                        extensions={"trace": progress.trace},
                    )
                    return await _own_response(request, await opened.enter_async_context(call))
        except LIBRARY_ERRORS as exception:
            failure: Exception = exception
        causes = causes_of(failure, handled)
        interruption = raised_by_signal_handler(causes)
        if interruption is not None:
            raise interruption
        raise connection_failure(
            failure,
            causes,
            costs=request.costs,
            timed_out=has(causes, httpx.TimeoutException, TimeoutError),
            never_sent=is_rejected_client(causes) or self._never_sent(causes, progress),
        )

    def _never_sent(self, causes: List[BaseException], progress: "_Progress") -> bool:
        if progress.has_begun or progress.has_sent:
            return not progress.has_sent
        # A mock reports no progress, and the caller's client may retry on its own.
        return self._client is None and has(causes, *NOT_CONNECTED)

    def _client_of_loop(self) -> httpx.AsyncClient:
        """
        Returns the caller's client, or the one of this process and event loop. Clients from before a fork
        are kept but never used again, because their sockets belong to the parent too.

        Loops may run in several threads. There is no lock, because a fork could leave it locked for ever:
        each loop has an entry of its own, and each step below is atomic.
        """
        if self._client is not None:
            return self._client
        own = (os.getpid(), asyncio.get_running_loop())
        if own not in self._clients:
            for process, loop in list(self._clients):
                if process == own[0] and loop.is_closed():
                    self._clients.pop((process, loop), None)
            try:
                self._clients[own] = self._unused.pop()
            except IndexError:
                self._clients[own] = _new_client()
        return self._clients[own]


async def _own_response(request: Request, received: httpx.Response) -> Response:
    """Returns the request's response. Closes the connection and raises if the response is foreign."""
    if is_foreign(request, received.status_code, received.headers):
        raise foreign_response(request.costs)
    # Not `aread`, which returns the connection to the pool, where another task may use it. Only a hook of the
    # caller's client has called it before.
    whole = received if received.is_stream_consumed else await _whole(received)
    response = Response(received.status_code, Headers(received.headers.items()), await whole.aread())
    if request.owns(response):
        return response
    stream = received.extensions.get("network_stream")
    if stream is not None:
        await stream.aclose()
    raise foreign_response(request.costs)


async def _whole(received: httpx.Response) -> httpx.Response:
    """Returns the response with its body, which is not yet decoded, without closing the stream."""
    stream = cast(httpx.AsyncByteStream, received.stream)
    body = b"".join([part async for part in stream])
    return httpx.Response(received.status_code, headers=received.headers, content=body)


class _Progress:
    """Observes whether any part of a request may have been sent."""

    def __init__(self) -> None:
        self.has_begun = False
        self.has_sent = False

    async def trace(self, event: str, info: Dict[str, Any]) -> None:
        self.has_begun = True
        # The request that asks a proxy to connect is not the caller's.
        is_to_proxy = getattr(info.get("request"), "method", b"") == b"CONNECT"
        if event.endswith("send_request_headers.started") and not is_to_proxy:
            self.has_sent = True


def _new_client() -> httpx.AsyncClient:
    return httpx.AsyncClient(
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=CONNECTIONS_KEPT),
        verify=_verification(),
    )


def _verification() -> Union[bool, ssl.SSLContext]:
    path = authorities()
    if path is None:
        return True
    is_folder = os.path.isdir(path)
    return ssl.create_default_context(cafile=None if is_folder else path, capath=path if is_folder else None)
