"""Sends the requests of AsyncIdentityClient, with `httpx`."""

import ssl
import sys
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Dict, Generator, Mapping, Optional

import anyio
import httpx

from ._deadline import Deadline
from ._failures import causes_of, connection_failure, has
from ._http import Headers, Request, Response
from ._key import Key
from ._transport import CLOSED, CONNECTIONS_KEPT, LONGEST_CONNECT_S, user_agent


class _KeyAuth(httpx.Auth):
    """Adds the API key to a request, so that neither .netrc nor the base URL can replace it."""

    def __init__(self, key: Key) -> None:
        self._key = key

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = self._key.authorization()
        yield request


class AsyncTransport:
    """Sends requests to one base URL. Concurrent tasks can share it."""

    def __init__(self, base_url: str, key: Key, client: Optional[httpx.AsyncClient]) -> None:
        self._base_url = base_url
        self._auth = _KeyAuth(key)
        self._owns_client = client is None
        self._client = _new_client() if client is None else client
        self._user_agent = user_agent(f"httpx/{httpx.__version__}")
        self._is_closed = False

    async def close(self) -> None:
        """Closes the connections, unless the caller supplied the client."""
        self._is_closed = True
        if self._owns_client:
            await self._client.aclose()

    async def send(self, request: Request, headers: Mapping[str, str], deadline: Deadline) -> Response:
        """
        Returns the complete response, whatever its status. Raises AttemptError if none arrives, and
        RuntimeError if the client is closed.
        """
        if self._is_closed:
            raise RuntimeError(CLOSED)
        remaining_s = max(deadline.remaining_s(), 0.001)
        handled = sys.exc_info()[1]
        progress = _Progress()
        try:
            with anyio.fail_after(remaining_s):
                received = await self._client.request(
                    request.method,
                    self._base_url + request.path,
                    json=request.body,
                    params=request.query,
                    headers={"User-Agent": self._user_agent, **headers, **request.headers},
                    auth=self._auth,
                    timeout=httpx.Timeout(None, connect=LONGEST_CONNECT_S),
                    # A redirect may change a POST to a GET, or send the body to another host.
                    follow_redirects=False,
                    extensions={"trace": progress.trace},
                )
        except (httpx.HTTPError, httpx.InvalidURL, OSError, TimeoutError) as exception:
            failure: Exception = exception
        else:
            return Response(received.status_code, Headers(received.headers.items()), received.content)
        causes = causes_of(failure, handled)
        raise connection_failure(
            failure,
            handled=handled,
            costs=request.costs,
            timed_out=has(causes, httpx.TimeoutException, TimeoutError),
            # The caller's client may retry on its own, and its last failure does not show whether it did.
            never_sent=self._owns_client and not progress.has_sent,
            bad_certificate=has(causes, ssl.SSLCertVerificationError),
        )


class _Progress:
    """Observes whether any part of a request may have been sent."""

    def __init__(self) -> None:
        self.has_sent = False

    async def trace(self, event: str, _: Dict[str, Any]) -> None:
        if event.endswith("send_request_headers.started"):
            self.has_sent = True


def _new_client() -> httpx.AsyncClient:
    return httpx.AsyncClient(
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=CONNECTIONS_KEPT),
    )
