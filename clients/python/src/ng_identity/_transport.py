"""Sends one HTTP request: the session, the API key's header, and the meaning of connection failures."""

import http.client
import platform
import socket
import ssl
import sys
from http.cookiejar import DefaultCookiePolicy
from typing import Any, List, Mapping, Optional, Type

import requests
from requests.auth import AuthBase
from urllib3.exceptions import HTTPError, NewConnectionError, ReadTimeoutError

from ._deadline import Deadline, DeadlineAdapter, limit_reads
from ._errors import AuthenticationError, IdentityError, RequestTimeoutError, Rule, TransportError
from ._retry import AttemptError
from ._version import __version__

LONGEST_CONNECT_S = 10.0
CONNECTIONS_KEPT = 32
USER_AGENT = (
    f"ng-identity/{__version__} python/{platform.python_version()} "
    f"requests/{getattr(requests, '__version__', '?')}"
)


class _Secret(str):
    """A str whose repr is masked, so that printing its dict or a frame's variables does not reveal it."""

    def __repr__(self) -> str:
        return "'***'"


class Key(AuthBase):
    """
    Adds the API key to a request. It is passed as `auth` and not as a session header, because a .netrc
    entry would replace such a header. It is an object so that no repr, log or traceback shows the key.
    """

    __slots__ = ("_value",)

    def __init__(self, value: Optional[str]) -> None:
        self._value = value

    def check(self) -> None:
        """
        Raises AuthenticationError for a missing or malformed key. No local variable here holds the key,
        because error trackers may print local variables.
        """
        if not self._value:
            raise AuthenticationError(
                "No API key: pass api_key, or set the environment variable NG_IDENTITY_API_KEY."
            )
        # Other characters could end the header and start another. The API checks the rest.
        is_text = isinstance(self._value, str) and self._value.isascii() and self._value.isprintable()
        if not is_text or " " in self._value:
            raise AuthenticationError(
                "The API key contains a space, a line break or another invalid character."
            )

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = _Secret(f"Bearer {self._value}")
        return request

    def __repr__(self) -> str:
        return "<API key>"

    def __reduce__(self) -> str:
        raise TypeError("A client cannot be pickled, because the pickle would contain its API key.")


class Transport:
    """Sends requests to one base URL. Threads can share it: its only state is the connection pool."""

    def __init__(self, base_url: str, key: Key, session: Optional[requests.Session]) -> None:
        self._base_url = base_url
        self._key = key
        self._owns_session = session is None
        self._session = _new_session() if session is None else session

    def close(self) -> None:
        """Closes the connections, unless the caller supplied the session."""
        if self._owns_session:
            self._session.close()

    def send(
        self,
        method: str,
        path: str,
        deadline: Deadline,
        *,
        body: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Mapping[str, str],
    ) -> requests.Response:
        """Returns the complete response, whatever its status. Raises AttemptError if none arrives."""
        remaining_s = max(deadline.remaining_s(), 0.001)
        handled = sys.exc_info()[1]
        try:
            with limit_reads(deadline):
                response = self._session.request(
                    method,
                    self._base_url + path,
                    json=body,
                    params=query,
                    headers={"User-Agent": USER_AGENT, **headers},
                    auth=self._key,
                    timeout=(min(remaining_s, LONGEST_CONNECT_S), remaining_s),
                    # A redirect turns a POST into a GET, and may send the body to another host.
                    allow_redirects=False,
                )
        except (requests.RequestException, HTTPError, http.client.HTTPException, OSError) as exception:
            raise self._failure(exception, handled, costs=method == "POST") from None
        response.request = _without_secrets(response.request)
        return response

    def _failure(self, exception: Exception, handled: Optional[BaseException], costs: bool) -> AttemptError:
        causes = _causes(exception, handled)
        bad_certificate = _has(causes, ssl.SSLCertVerificationError)
        # A caller's session may retry by itself. Its last failure then says nothing about earlier attempts.
        never_sent = self._owns_session and (
            bad_certificate or _has(causes, requests.ConnectTimeout, NewConnectionError)
        )
        error_class: Type[IdentityError] = TransportError
        message = "The connection broke before a complete response arrived."
        if never_sent:
            message = "The connection failed. Nothing was sent."
        if _has(causes, requests.Timeout, ReadTimeoutError, socket.timeout):
            error_class = RequestTimeoutError
            message = (
                "Connecting timed out. Nothing was sent."
                if never_sent
                else "No complete response arrived in time."
            )
        charged = None if costs and not never_sent else False
        rule = Rule(error_class, retry="later", charged=charged, automatic=not bad_certificate)
        error = error_class(message, retryable=rule.automatic, charged=charged)
        error.__cause__ = _without_details(exception, causes)
        return AttemptError(error, rule)


def _new_session() -> requests.Session:
    session = requests.Session()
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    adapter = DeadlineAdapter(pool_connections=2, pool_maxsize=CONNECTIONS_KEPT)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session


def _without_secrets(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Returns a copy without the API key and the identity number, which is safe to keep in errors."""
    copy = request.copy()
    if "Authorization" in copy.headers:
        copy.headers["Authorization"] = "Bearer ***"
    copy.body = None
    return copy


def _has(causes: List[BaseException], *classes: Type[BaseException]) -> bool:
    return any(isinstance(cause, classes) for cause in causes)


def _causes(exception: BaseException, handled: Optional[BaseException]) -> List[BaseException]:
    """
    Returns the exception and all exceptions that it wraps, in any of the ways of requests and urllib3.
    Leaves out `handled`, the exception that the caller was already handling when it made this call.
    """
    queue, found = [exception], []
    seen = {id(handled)}
    while queue:
        current = queue.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        found.append(current)
        linked = (current.__cause__, current.__context__, getattr(current, "reason", None), *current.args)
        queue += [item for item in linked if isinstance(item, BaseException)]
    return found


def _without_details(exception: Exception, causes: List[BaseException]) -> Exception:
    """Removes the request and the stack frames, which hold the request in their variables."""
    if isinstance(exception, requests.RequestException):
        exception.request = None
    for cause in causes:
        cause.__traceback__ = None
    return exception
