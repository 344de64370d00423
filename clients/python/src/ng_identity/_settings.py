"""What a client is made from, checked before the first request."""

import os
from datetime import date, datetime, timezone
from typing import Optional, Union
from urllib.parse import urlsplit

from ._transport import Key

Moment = Union[str, date]
"""A date (its midnight in UTC), a datetime with a time zone, or such a moment as ISO 8601 text in UTC."""

_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


def given_key(api_key: Optional[str]) -> Key:
    """The key that was given, or else the environment's. An empty one is no reason to take another."""
    return Key(os.environ.get("NG_IDENTITY_API_KEY") if api_key is None else api_key)


def checked_base_url(base_url: Optional[str]) -> str:
    value = os.environ.get("NG_IDENTITY_BASE_URL") if base_url is None else base_url
    if not value:
        raise ValueError("No base URL: give base_url, or set the variable NG_IDENTITY_BASE_URL.")
    try:
        parts = urlsplit(value)
        _ = parts.port  # read for its check
    except ValueError:
        raise ValueError("base_url has no readable host and port.") from None
    if not parts.hostname or parts.query or parts.fragment or parts.username or parts.password:
        raise ValueError("base_url is like https://api.example.com, without user, query and fragment.")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOCAL_HOSTS):
        raise ValueError("base_url begins with https://: over http anybody on the way reads the API key.")
    return value.rstrip("/")


def checked_timeout(timeout: float) -> float:
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout < 86_400:
        raise ValueError("timeout is a number of seconds, above 0 and below a day.")
    return timeout


def checked_max_retries(max_retries: int) -> int:
    if isinstance(max_retries, bool) or not isinstance(max_retries, int) or max_retries < 0:
        raise ValueError("max_retries is a whole number, 0 or more.")
    return max_retries


def utc_text(name: str, moment: Optional[Moment]) -> Optional[str]:
    """As the API reads times: a date, or a time in UTC with milliseconds and Z. Texts stay as they are."""
    if not isinstance(moment, datetime):
        return moment.isoformat() if isinstance(moment, date) else moment
    if moment.tzinfo is None:
        raise ValueError(f"{name} is a datetime without a time zone: which moment is meant?")
    utc = moment.astimezone(timezone.utc).replace(tzinfo=None)
    return f"{utc.isoformat(timespec='milliseconds')}Z"


def checked_page_size(page_size: Optional[int]) -> Optional[int]:
    if page_size is not None and not (type(page_size) is int and 1 <= page_size <= 100):
        raise ValueError("page_size is a whole number from 1 to 100.")
    return page_size
