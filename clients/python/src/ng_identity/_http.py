"""Requests and responses as plain data. Both clients use them, so that only their transports differ."""

import json
import re
from typing import Any, Callable, Dict, Iterable, Iterator, Mapping, NamedTuple, Optional, Tuple


class Headers(Mapping[str, str]):
    """The headers of a request or response. The case of their names does not matter."""

    def __init__(self, items: Iterable[Tuple[str, str]] = ()) -> None:
        self._values: Dict[str, str] = {name.lower(): value for name, value in items}

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Headers({self._values!r})"


class Response:
    """
    A response. Contains no part of the request, so that errors, which keep their response, do not expose the
    API key or the number that was sent.
    """

    def __init__(self, status_code: int, headers: Headers, content: bytes) -> None:
        self.status_code = status_code
        self.headers = headers
        self.content = content

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", "replace")

    def json(self) -> Any:
        """Returns the parsed body. Raises ValueError if it is not JSON."""
        return json.loads(self.content)

    def __repr__(self) -> str:
        return f"<Response {self.status_code}, {len(self.content)} bytes>"


class Request(NamedTuple):
    """A request, without the API key and the settings of the client."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Optional[Mapping[str, Any]] = None
    query: Optional[Mapping[str, Any]] = None
    costs: bool = False
    """Whether the request may be charged."""
    owns: Callable[[Response], bool] = lambda _: True
    """Whether a complete response belongs to this request, as far as its content shows."""


class RateLimit(NamedTuple):
    """The rate limit of the API key, as the response reports it."""

    limit: Optional[int]
    """How many requests may be sent within one window, or None if the API did not say."""
    remaining: int
    """How many requests may be sent now."""
    reset_s: int
    """Seconds until `limit` requests may be sent again."""


def rate_limit_of(headers: Mapping[str, str]) -> Optional[RateLimit]:
    """Reads `RateLimit` and `RateLimit-Policy`. Returns None if the response has no limit."""
    state = headers.get("RateLimit", "")
    remaining, reset_s = _parameter(state, "r"), _parameter(state, "t")
    if remaining is None or reset_s is None:
        return None
    return RateLimit(_parameter(headers.get("RateLimit-Policy", ""), "q"), remaining, reset_s)


def _parameter(text: str, name: str) -> Optional[int]:
    found = re.search(rf";\s*{name}=([0-9]{{1,9}})(?![0-9])", text)
    return int(found.group(1)) if found else None
