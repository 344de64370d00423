"""Sends the requests of IdentityClient, with `requests`."""

import contextlib
import http.client
import os
import platform
import socket
import sys
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, List, Mapping, Optional

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError, LocationValueError, NewConnectionError, ReadTimeoutError
from urllib3.util import Timeout

from ._belonging import foreign_response, is_foreign
from ._certificates import authorities
from ._deadline import Deadline
from ._failures import (
    causes_of,
    connection_failure,
    failed_while_connecting,
    has,
    is_rejected_client,
    raised_by_signal_handler,
)
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
LARGEST_PART = 65_536
SMALL_PART = 16
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

    def __init__(self, base_url: str, session: Optional[requests.Session]) -> None:
        self._base_url = base_url
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

    def send(self, request: Request, headers: Mapping[str, str], key: Key, attempts: Attempts) -> Response:
        """
        Returns the complete response, whatever its status. Raises AttemptError if none arrives, and
        RuntimeError if the client is closed.
        """
        if self._is_closed:
            raise RuntimeError(CLOSED)
        deadline = attempts.attempt_deadline()
        handled = sys.exc_info()[1]
        try:
            with contextlib.ExitStack() as opened:
                session = self._session_of_process()
                if self._owns_session and attempts.needs_new_connection:
                    session = opened.enter_context(_new_session())
                received = session.request(
                    request.method,
                    self._base_url + request.path,
                    json=request.body,
                    params=request.query,
                    headers={"User-Agent": self._user_agent, **headers, **request.headers},
                    auth=_KeyAuth(key),
                    timeout=self._limits(deadline),
                    # A redirect may change a POST to a GET, or send the body to another host.
                    allow_redirects=False,
                    # A connection whose body was not read is closed, and serves no other request.
                    stream=True,
                )
                opened.enter_context(contextlib.closing(received))
                return self._own_response(request, received, session, deadline)
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
            timed_out=has(causes, requests.Timeout, ReadTimeoutError, socket.timeout),
            never_sent=self._never_sent(causes),
        )

    def _limits(self, deadline: Deadline) -> Any:
        """
        Returns the timeouts of connecting and of each read. With a session of the caller, they have the form
        that every adapter understands.
        """
        remaining_s = max(deadline.remaining_s(), 0.001)
        connect_s = min(remaining_s, LONGEST_CONNECT_S)
        if not self._owns_session:
            return (connect_s, remaining_s)
        return Timeout(connect=connect_s, read=remaining_s, total=remaining_s)

    def _never_sent(self, causes: List[BaseException]) -> bool:
        if is_rejected_client(causes):
            return True
        if not (self._owns_session or _sends_once(self._session, self._base_url)):
            return False  # The last failure does not show whether an earlier attempt sent the request.
        is_unreachable = has(causes, requests.ConnectTimeout, NewConnectionError, LocationValueError)
        return is_unreachable or failed_while_connecting(causes)

    def _own_response(
        self, request: Request, received: requests.Response, session: requests.Session, deadline: Deadline
    ) -> Response:
        """Returns the request's response. Raises AttemptError if the response is foreign."""
        if is_foreign(request, received.status_code, received.headers):
            raise foreign_response(request.costs)
        content = _content(received, deadline)
        response = Response(received.status_code, Headers(received.headers.items()), content)
        if request.owns(response):
            return response
        if self._owns_session:
            # The connection is back in the pool, and may deliver more responses to other requests.
            session.close()
        raise foreign_response(request.costs)

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


def async_transport(base_url: str, client: "Optional[httpx.AsyncClient]") -> "AsyncTransport":
    """Returns the transport of AsyncIdentityClient. Raises ImportError without httpx."""
    try:
        from ._async_transport import AsyncTransport
    except ImportError as error:
        raise ImportError(
            'AsyncIdentityClient needs httpx: pip install "ng-identity[async]"', name=error.name
        ) from error
    return AsyncTransport(base_url, client)


def _new_session() -> requests.Session:
    session = requests.Session()
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    session.verify = authorities() or True
    adapter = HTTPAdapter(pool_connections=2, pool_maxsize=CONNECTIONS_KEPT)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session


def _sends_once(session: requests.Session, url: str) -> bool:
    """Whether a session of the caller sends each request once, as far as its settings show."""
    adapter = session.get_adapter(url) if type(session) is requests.Session else None
    return type(adapter) is HTTPAdapter and adapter.max_retries.total == 0


def _content(received: requests.Response, deadline: Deadline) -> bytes:
    """
    Reads the body to its end. Checks the deadline between two parts if they come from a socket, and not from
    a cache, a recorder or a mock.
    """
    if not _is_socket(received.raw):
        return received.content
    read_part = getattr(received.raw, "read1", None)
    if read_part is None:  # urllib3 1, whose reads wait until a part is full
        parts = received.iter_content(SMALL_PART)
    else:
        parts = iter(lambda: read_part(LARGEST_PART, decode_content=True), b"")
    received_parts = []
    for part in parts:
        received_parts.append(part)
        if deadline.remaining_s() <= 0:
            raise socket.timeout("timed out")
    announced = received.headers.get("Content-Length", "")
    # urllib3 1 raises no error if part of the body is missing.
    if announced.isdigit() and received.raw.tell() < int(announced):
        raise http.client.IncompleteRead(b"")
    return b"".join(received_parts)


def _is_socket(raw: Any) -> bool:
    try:
        return int(raw.fileno()) >= 0
    except (AttributeError, OSError, TypeError, ValueError):
        return False
