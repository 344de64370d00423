"""One send over HTTP: the session, the key's header, and what a failure on the way means."""

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

from ._deadline import Deadline, DeadlineAdapter, ends_reads
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
    """A text that a print of its dict, or of a frame's variables, does not show."""

    def __repr__(self) -> str:
        return "'***'"


class Key(AuthBase):
    """
    Adds the API key to a request. As `auth`, and not as a header of the session, so that no .netrc entry
    replaces it; as an object, so that no repr, log or traceback shows it.
    """

    __slots__ = ("_value",)

    def __init__(self, value: Optional[str]) -> None:
        self._value = value

    def check(self) -> None:
        """Raises AuthenticationError. No variable of this frame is the key, if a traceback shows them."""
        if not self._value:
            raise AuthenticationError("No API key: give api_key, or set the variable NG_IDENTITY_API_KEY.")
        # Anything else could end the header and begin another. The API checks the rest.
        is_text = isinstance(self._value, str) and self._value.isascii() and self._value.isprintable()
        if not is_text or " " in self._value:
            raise AuthenticationError("The API key has characters that no key has: a space or a line end?")

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = _Secret(f"Bearer {self._value}")
        return request

    def __repr__(self) -> str:
        return "<API key>"

    def __reduce__(self) -> str:
        raise TypeError("A client is not pickled: its API key would be written with it.")


class Transport:
    """Sends to one base URL. Safe to share between threads: it has no state besides the connections."""

    def __init__(self, base_url: str, key: Key, session: Optional[requests.Session]) -> None:
        self._base_url = base_url
        self._key = key
        self._owns_session = session is None
        self._session = _new_session() if session is None else session

    def close(self) -> None:
        """Closes the connections, unless the session is the caller's."""
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
        """The whole answer, whatever its status. Raises AttemptError if there is none."""
        remaining_s = max(deadline.remaining_s(), 0.001)
        outside = sys.exc_info()[1]
        try:
            with ends_reads(deadline):
                response = self._session.request(
                    method,
                    self._base_url + path,
                    json=body,
                    params=query,
                    headers={"User-Agent": USER_AGENT, **headers},
                    auth=self._key,
                    timeout=(min(remaining_s, LONGEST_CONNECT_S), remaining_s),
                    # A redirected POST becomes a GET, and may take the body elsewhere.
                    allow_redirects=False,
                )
        except (requests.RequestException, HTTPError, http.client.HTTPException, OSError) as exception:
            raise self._failure(exception, outside, costs=method == "POST") from None
        response.request = _without_secrets(response.request)
        return response

    def _failure(self, exception: Exception, outside: Optional[BaseException], costs: bool) -> AttemptError:
        causes = _causes(exception, outside)
        bad_certificate = _has(causes, ssl.SSLCertVerificationError)
        # A caller's session may send again by itself: its last failure says nothing of the sends before.
        never_sent = self._owns_session and (
            bad_certificate or _has(causes, requests.ConnectTimeout, NewConnectionError)
        )
        error_class: Type[IdentityError] = TransportError
        message = "The connection broke before a whole answer came."
        if never_sent:
            message = "No connection could be made; nothing was sent."
        if _has(causes, requests.Timeout, ReadTimeoutError, socket.timeout):
            error_class = RequestTimeoutError
            message = "No connection in time." if never_sent else "No whole answer came in time."
        charged = None if costs and not never_sent else False
        rule = Rule(error_class, retry="later", charged=charged, automatic=not bad_certificate)
        error = error_class(message, retryable=rule.automatic, charged=charged)
        error.__cause__ = _bare(exception, causes)
        return AttemptError(error, rule)


def _new_session() -> requests.Session:
    session = requests.Session()
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    adapter = DeadlineAdapter(pool_connections=2, pool_maxsize=CONNECTIONS_KEPT)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session


def _without_secrets(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """A copy to show: neither the key nor the identity number travels with an answer or an error."""
    copy = request.copy()
    if "Authorization" in copy.headers:
        copy.headers["Authorization"] = "Bearer ***"
    copy.body = None
    return copy


def _has(causes: List[BaseException], *classes: Type[BaseException]) -> bool:
    return any(isinstance(cause, classes) for cause in causes)


def _causes(exception: BaseException, outside: Optional[BaseException]) -> List[BaseException]:
    """
    The exception and all that it wraps, in any of the ways of requests and urllib3. Not `outside`, which the
    caller was handling before this send (a repeat stands in an `except`): it says nothing of this one.
    """
    waiting, found = [exception], []
    seen = {id(outside)}
    while waiting:
        current = waiting.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        found.append(current)
        linked = (current.__cause__, current.__context__, getattr(current, "reason", None), *current.args)
        waiting += [item for item in linked if isinstance(item, BaseException)]
    return found


def _bare(exception: Exception, causes: List[BaseException]) -> Exception:
    """The exception as a cause to print: without request and frames, whose variables hold the request."""
    if isinstance(exception, requests.RequestException):
        exception.request = None
    for cause in causes:
        cause.__traceback__ = None
    return exception
