"""The settings of both clients, and the state of a call."""

import copy
import logging
import os
from datetime import date
from typing import Any, Literal, Mapping, Optional, TypedDict, TypeVar, Union

from ._calls import Call
from ._checks import checked_base_url, checked_headers, checked_max_retries, checked_timeout
from ._errors import IdentityError
from ._http import Request, Response
from ._key import Key
from ._models import CompanyType
from ._retry import AttemptError, Attempts

DEFAULT_TIMEOUT_S = 30.0
DEFAULT_MAX_RETRIES = 2

logger = logging.getLogger("ng_identity")

T = TypeVar("T")
ClientT = TypeVar("ClientT", bound="BaseClient")


class ClaimedDetails(TypedDict, total=False):
    """
    The details that a person has given you. At least one is required. The API neither stores nor logs them.
    """

    firstname: str
    lastname: str
    middlename: str
    birthdate: Union[str, date]
    """A date, or text: DD-MM-YYYY (also with / or .) or YYYY-MM-DD."""
    gender: str
    """Male, female, m or f, in capitals or not."""
    phone: str


class Options(TypedDict, total=False):
    """The keyword arguments of every call that costs credits, for type checkers."""

    idempotency_key: Optional[str]
    reference: Optional[str]
    consent: Optional[str]
    reason: Optional[str]


class PersonOptions(Options, total=False):
    match: Optional[ClaimedDetails]
    match_only: Literal[False]


class CacOptions(Options, total=False):
    company_type: Optional[CompanyType]


class NubanOptions(Options, total=False):
    bank_code: Optional[str]


class GatewayOptions(PersonOptions, total=False):
    country: Literal["NG"]


class CacGatewayOptions(CacOptions, total=False):
    country: Literal["NG"]


class TinGatewayOptions(Options, total=False):
    country: Literal["NG"]


class NubanGatewayOptions(NubanOptions, total=False):
    country: Literal["NG"]


class BaseClient:
    """
    The settings of a client. Raises AuthenticationError without a usable key, and ValueError for any other
    invalid setting.
    """

    # Defaults for __repr__, which an error tracker may call before __init__ has validated the settings.
    _base_url = ""
    _timeout_s = 0.0
    _max_retries = 0

    def __init__(
        self,
        key: Key,
        timeout: float,
        base_url: Optional[str],
        max_retries: int,
        headers: Optional[Mapping[str, str]],
    ) -> None:
        key.check()
        self._key = key
        self._base_url = checked_base_url(base_url)
        self._timeout_s = checked_timeout(timeout)
        self._max_retries = checked_max_retries(max_retries)
        self._headers = checked_headers(headers)

    def with_options(
        self: ClientT,
        *,
        api_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> ClientT:
        """
        Returns a client that has other settings and shares the connections of this one. `headers` are added
        to those of this client. Closing one of the two closes both.
        """
        other = copy.copy(self)
        if api_key is not None:
            other._key = Key(api_key)
            del api_key  # so that no later traceback shows it
            other._key.check()
        if timeout is not None:
            other._timeout_s = checked_timeout(timeout)
        if max_retries is not None:
            other._max_retries = checked_max_retries(max_retries)
        other._headers = {**self._headers, **checked_headers(headers)}
        return other

    def _attempts(self, call: Call[Any]) -> Attempts:
        return Attempts(
            timeout_s=self._timeout_s,
            max_retries=self._max_retries,
            costs=call.costs,
            charged=None if call.is_key_supplied else False,
        )

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(base_url={self._base_url!r}, timeout={self._timeout_s!r}, "
            f"max_retries={self._max_retries!r})"
        )


def key_from(api_key: Optional[str]) -> Key:
    """Returns the given key, or else the one in the environment. Does not check it."""
    return Key(os.environ.get("NG_IDENTITY_API_KEY") if api_key is None else api_key)


def read_response(call: Call[T], response: Response) -> T:
    """Returns the result of a call. Raises AttemptError if the response has none."""
    _log(call.request, response)
    return call.read(response)


def next_delay_s(call: Call[Any], attempts: Attempts, failed: AttemptError) -> float:
    """Returns the delay before the next attempt. Raises the IdentityError of the call if none follows."""
    try:
        return attempts.delay_after(failed)
    except IdentityError as error:
        error.idempotency_key = call.idempotency_key
        raise


def _log(request: Request, response: Response) -> None:
    request_id = response.headers.get("X-Request-Id", "-")
    logger.debug("%s %s: %s %s", request.method, request.path, response.status_code, request_id)
