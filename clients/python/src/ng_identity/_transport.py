"""Sends the requests of IdentityClient, with `requests`."""

import contextlib
import http.client
import os
import platform
import socket
import ssl
import sys
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Iterator, List, Mapping, Optional

import requests
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError, LocationValueError, NewConnectionError, ReadTimeoutError

from ._belonging import foreign_response, is_foreign
from ._deadline_adapter import DeadlineAdapter, limit_reads
from ._failures import causes_of, connection_failure, has
from ._http import Headers, Request, Response
from ._key import Key
from ._retry import Attempts
from ._version import __version__

if TYPE_CHECKING:
    import httpx

    from ._async_transport import AsyncTransport

# Not every Exception, and no RuntimeError: what a signal handler raises, such as the time limit of a job
# queue, must end the call.
LIBRARY_ERRORS = (requests.RequestException, HTTPError, http.client.HTTPException, OSError)
LONGEST_CONNECT_S = 10.0
CONNECTIONS_KEPT = 32
CLOSED = "The client is closed. Create a new one, or close it later."


def user_agent(library: str) -> str:
    return f"ng-identity/{__version__} python/{platform.python_version()} {library}"


class _KeyAuth(AuthBase):
    """
    Adds the API key to a request. It is passed as `auth` and not as a session header, because a .netrc
    entry would replace such a header.
    """

    def __init__(self, key: Key) -> None:
        self._key = key

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = self._key.authorization()
        return request


class Transport:
    """
    Sends requests to one base URL. Threads can share it. A forked process opens its own connections.
    """

    def __init__(self, base_url: str, key: Key, session: Optional[requests.Session]) -> None:
        self._base_url = base_url
        self._auth = _KeyAuth(key)
        self._owns_session = session is None
        self._session = _new_session() if session is None else session
        self._process = os.getpid()
        self._inherited: List[requests.Session] = []
        self._user_agent = user_agent(f"requests/{getattr(requests, '__version__', '?')}")
        self._is_closed = False

    def close(self) -> None:
        """Closes the connections, unless the caller supplied the session."""
        self._is_closed = True
        if self._owns_session:
            self._session_of_process().close()

    def send(self, request: Request, headers: Mapping[str, str], attempts: Attempts) -> Response:
        """
        Returns the complete response, whatever its status. Raises AttemptError if none arrives, and
        RuntimeError if the client is closed.
        """
        if self._is_closed:
            raise RuntimeError(CLOSED)
        deadline = attempts.attempt_deadline()
        remaining_s = max(deadline.remaining_s(), 0.001)
        handled = sys.exc_info()[1]
        try:
            with limit_reads(deadline), contextlib.ExitStack() as opened:
                session = self._session_of_process()
                if self._owns_session and attempts.needs_new_connection:
                    session = opened.enter_context(_new_session())
                received = session.request(
                    request.method,
                    self._base_url + request.path,
                    json=request.body,
                    params=request.query,
                    headers={"User-Agent": self._user_agent, **headers, **request.headers},
                    auth=self._auth,
                    timeout=(min(remaining_s, LONGEST_CONNECT_S), remaining_s),
                    # A redirect may change a POST to a GET, or send the body to another host.
                    allow_redirects=False,
                    # A connection whose body was not read is closed, and serves no other request.
                    stream=True,
                )
                opened.enter_context(contextlib.closing(received))
                return _own_response(request, received)
        except LIBRARY_ERRORS as exception:
            failure: Exception = exception
        causes = causes_of(failure, handled)
        bad_certificate = has(causes, ssl.SSLCertVerificationError)
        never_connected = bad_certificate or has(
            causes, requests.ConnectTimeout, NewConnectionError, LocationValueError
        )
        raise connection_failure(
            failure,
            handled=handled,
            costs=request.costs,
            timed_out=has(causes, requests.Timeout, ReadTimeoutError, socket.timeout),
            # The caller's session may retry on its own, and its last failure does not show whether it did.
            never_sent=self._owns_session and never_connected,
            bad_certificate=bad_certificate,
        )

    def _session_of_process(self) -> requests.Session:
        """
        Returns the caller's session, or this process's own. A session from before a fork is kept but never
        used again, because its sockets and locks belong to the parent too.
        """
        if self._owns_session and self._process != os.getpid():
            self._inherited.append(self._session)
            self._session = _new_session()
            self._process = os.getpid()
        return self._session


def async_transport(base_url: str, key: Key, client: "Optional[httpx.AsyncClient]") -> "AsyncTransport":
    """Returns the transport of AsyncIdentityClient. Raises ImportError without httpx."""
    try:
        from ._async_transport import AsyncTransport
    except ImportError as error:
        raise ImportError(
            'AsyncIdentityClient needs httpx: pip install "ng-identity[async]"', name=error.name
        ) from error
    return AsyncTransport(base_url, key, client)


def _own_response(request: Request, received: requests.Response) -> Response:
    """Returns the request's response. Closes the connection and raises if the response is foreign."""
    if is_foreign(request, received.status_code, received.headers):
        raise foreign_response(request.costs)
    with _kept_connection(received):
        content = received.content
        if _is_truncated(received):
            raise http.client.IncompleteRead(b"")
        response = Response(received.status_code, Headers(received.headers.items()), content)
        if request.owns(response):
            return response
        if received.raw is not None:
            received.raw.close()
    raise foreign_response(request.costs)


@contextlib.contextmanager
def _kept_connection(received: requests.Response) -> Iterator[None]:
    """
    Keeps the connection of a response out of the pool within the block. Otherwise, it returns there with the
    last byte of the body, and another thread may use it while this one closes it.
    """
    raw = received.raw
    if not hasattr(raw, "release_conn"):
        yield
        return
    raw.release_conn = lambda: None
    try:
        yield
    finally:
        del raw.release_conn


def _new_session() -> requests.Session:
    session = requests.Session()
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    adapter = DeadlineAdapter(pool_connections=2, pool_maxsize=CONNECTIONS_KEPT)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session


def _is_truncated(response: requests.Response) -> bool:
    """Whether part of the body is missing. Older versions of urllib3 raise no error in this case."""
    announced = response.headers.get("Content-Length", "")
    return announced.isdigit() and response.raw is not None and response.raw.tell() < int(announced)
