"""The client, with one method for each operation of the API."""

import logging
import os
import secrets
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Literal,
    Mapping,
    Optional,
    TypedDict,
    TypeVar,
    overload,
)

import requests

from . import _checks
from ._checks import (
    Moment,
    checked_base_url,
    checked_max_retries,
    checked_page_size,
    checked_timeout,
    utc_text,
)
from ._deadline import Deadline
from ._errors import IdentityError, TransportError, knows_key
from ._models import (
    Balance,
    Bank,
    BvnRecord,
    CacRecord,
    LogEntry,
    NinRecord,
    NubanRecord,
    TinRecord,
    Transaction,
    Verification,
)
from ._responses import credits_charged, read_banks, read_json, read_pdf, read_transactions
from ._retry import call_with_retries
from ._slip_file import Path, SlipFile
from ._transport import Key, Transport

if TYPE_CHECKING:
    from typing_extensions import Unpack

logger = logging.getLogger("ng_identity")

T = TypeVar("T")


class _Options(TypedDict, total=False):
    """The keyword arguments of `verify` that every ID type accepts, for type checkers."""

    idempotency_key: Optional[str]
    consent: Optional[str]
    reason: Optional[str]


class _CacOptions(_Options, total=False):
    company_type: Optional[str]


class _NubanOptions(_Options, total=False):
    bank_code: Optional[str]


class _AllOptions(_NubanOptions, total=False):
    company_type: Optional[str]


class IdentityClient:
    """
    A client of the identity verification API. Its methods raise IdentityError if a call fails, and
    ValueError for malformed input, before any request.

    api_key      default: the environment variable NG_IDENTITY_API_KEY
    timeout      seconds for a whole call, including all retries and delays, but not the system's DNS
                 look-up
    base_url     default: the environment variable NG_IDENTITY_BASE_URL. Must be https, or http to this
                 machine
    session      your own requests.Session (for proxies, certificates or tests), which you also close.
                 With it, `timeout` limits each read of a response, not the sum of the reads
    max_retries  how often a call is retried at most, after a failure that a retry may resolve. Every retry
                 carries the idempotency key of the first attempt, so it never charges twice

    A client is thread-safe and reuses its connections. Create one per process, after any fork. Raises
    AuthenticationError without a usable key, and ValueError for any other invalid setting.
    """

    # Defaults for __repr__, which a traceback may call before __init__ has validated the settings.
    _base_url = ""
    _timeout_s = 0.0
    _max_retries = 0

    def __init__(
        self,
        api_key: Optional[str] = None,
        timeout: float = 30,
        *,
        base_url: Optional[str] = None,
        session: Optional[requests.Session] = None,
        max_retries: int = 2,
    ) -> None:
        key = Key(os.environ.get("NG_IDENTITY_API_KEY") if api_key is None else api_key)
        del api_key  # so that no later traceback shows it
        key.check()
        self._base_url = checked_base_url(base_url)
        self._timeout_s = checked_timeout(timeout)
        self._max_retries = checked_max_retries(max_retries)
        self._transport = Transport(self._base_url, key, session)

    @overload
    def verify(
        self, id_type: Literal["NIN"], id_number: str, advance: bool = ..., **options: "Unpack[_Options]"
    ) -> Verification[NinRecord]: ...
    @overload
    def verify(
        self, id_type: Literal["BVN"], id_number: str, advance: bool = ..., **options: "Unpack[_Options]"
    ) -> Verification[BvnRecord]: ...
    @overload
    def verify(
        self, id_type: Literal["CAC"], id_number: str, advance: bool = ..., **options: "Unpack[_CacOptions]"
    ) -> Verification[CacRecord]: ...
    @overload
    def verify(
        self, id_type: Literal["TIN"], id_number: str, **options: "Unpack[_Options]"
    ) -> Verification[TinRecord]: ...
    @overload
    def verify(
        self, id_type: Literal["NUBAN"], id_number: str, **options: "Unpack[_NubanOptions]"
    ) -> Verification[NubanRecord]: ...
    @overload
    def verify(
        self, id_type: str, id_number: str, advance: bool = ..., **options: "Unpack[_AllOptions]"
    ) -> Verification[Any]: ...
    def verify(
        self,
        id_type: str,
        id_number: str,
        advance: bool = False,
        *,
        company_type: Optional[str] = None,
        bank_code: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        consent: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> Verification[Any]:
        """
        Verifies a number of type "NIN", "BVN", "CAC", "TIN" or "NUBAN". Costs one credit if a record is
        found, and nothing otherwise. Raises ValueError, before any request, for a malformed number and for
        options that the type does not have.

        advance          True returns the complete record (Premium). NIN, BVN and CAC only
        company_type     CAC only: "RC", "BN", "IT", "LP" or "LLP", if the number consists of digits only
        bank_code        NUBAN only: a code that banks() returns. Required with live keys
        idempotency_key  8 to 255 printable ASCII characters, without the number. Default: a new key for each
                         call. Pass the key of an earlier error to get that call's data without a second
                         charge
        consent, reason  up to 200 characters each, stored with the log entry. The API rejects invisible
                         characters and numbers of 10 or more digits
        """
        _checks.check_one_of("id_type", id_type, _checks.ID_TYPES)
        if not isinstance(advance, bool):
            raise ValueError("advance must be True or False.")
        if advance and id_type not in _checks.ADVANCED_ID_TYPES:
            raise ValueError(f"advance=True is available for NIN, BVN and CAC. {id_type} has one level only.")
        if bank_code is not None and id_type != "NUBAN":
            raise ValueError("bank_code is available for NUBAN only.")
        _checks.check_number(id_type, id_number, company_type)
        path = f"/api/v1/ng/{id_type.lower()}-{'premium' if advance else 'basic'}/"
        body = {
            "id_number": id_number,
            "company_type": company_type,
            "bank_code": bank_code,
            "consent": consent,
            "reason": reason,
        }
        return self._verify(path, body, idempotency_key)

    def verify_gateway(
        self,
        id_type: str,
        id_number: str,
        *,
        level: str = "basic",
        method: str = "identity",
        country: str = "NG",
        company_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        consent: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> Verification[Any]:
        """
        Verifies a NIN, BVN or CAC number through the unified gateway. `level` is "basic" or "advanced".
        With `method` "biometric" (NIN and BVN, advanced only), the call fails unless the record has a
        usable photo. `company_type` is for CAC only, as in `verify`.
        """
        _checks.check_one_of("id_type", id_type, _checks.ADVANCED_ID_TYPES)
        _checks.check_one_of("level", level, ("basic", "advanced"))
        _checks.check_one_of("method", method, ("identity", "biometric"))
        _checks.check_one_of("country", country, ("NG",))
        if method == "biometric" and (level != "advanced" or id_type == "CAC"):
            raise ValueError('method "biometric" is available for NIN and BVN at level "advanced" only.')
        _checks.check_number(id_type, id_number, company_type)
        body = {
            "country": country,
            "id_type": id_type,
            "method": method,
            "level": level,
            "params": _present({"id_number": id_number, "company_type": company_type}),
            "consent": consent,
            "reason": reason,
        }
        return self._verify("/api/v1/identities/verify/", body, idempotency_key)

    def download_slip(
        self,
        nin: str,
        slip_type: str,
        to: Optional[Path] = None,
        *,
        idempotency_key: Optional[str] = None,
        consent: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> bytes:
        """
        Downloads the PDF slip of a NIN that your organisation has verified before. Costs one credit.
        `slip_type` is "regular", "improved" or "premium". `to` is a file to write the slip to as well: it is
        readable by its owner only, and never left incomplete. The file is opened before the request, so an
        invalid path costs nothing.
        """
        _checks.check_number("NIN", nin)
        _checks.check_one_of("slip_type", slip_type, _checks.SLIP_TYPES)
        path = "/api/v1/ng/nin/slip/download/"
        body = {"nin": nin, "slip_type": slip_type, "consent": consent, "reason": reason}
        if to is None:
            return self._post(path, body, idempotency_key, lambda response, _: read_pdf(response))
        with SlipFile(to) as file:
            pdf = self._post(path, body, idempotency_key, lambda response, _: read_pdf(response))
            file.write(pdf)
        return pdf

    def banks(self) -> List[Bank]:
        """Returns the banks whose accounts can be verified, with the codes that `bank_code` accepts."""
        return self._get("/api/v1/banks/", read_banks)

    def balance(self) -> Balance:
        """Returns the wallet balance of the key's organisation and environment."""
        return self._get("/api/v1/wallet/balance/", lambda response: Balance(read_json(response)))

    def transactions(
        self,
        *,
        from_: Optional[Moment] = None,
        to: Optional[Moment] = None,
        type: Optional[str] = None,  # noqa: A002 the API's name
        page_size: Optional[int] = None,
    ) -> Iterator[Transaction]:
        """
        Iterates over the wallet's charges and top-ups, oldest first, and fetches pages as needed. The range
        starts at `from_` (default: the first day of the month of `to`) and ends before `to` (default: now).
        `type` is "debit" or "credit".
        """
        if type is not None:
            _checks.check_one_of("type", type, ("debit", "credit"))
        times = {"from": utc_text("from_", from_), "to": utc_text("to", to)}
        return self._pages(_present({**times, "type": type, "limit": checked_page_size(page_size)}))

    def verification(self, request_id: str) -> LogEntry:
        """Returns the log entry of an earlier request, without identity data."""
        _checks.check_request_id(request_id)
        path = f"/api/v1/verifications/{request_id}/"
        return self._get(path, lambda response: LogEntry(read_json(response)))

    def close(self) -> None:
        """Closes the connections. Leaves a session that you supplied open."""
        self._transport.close()

    def __enter__(self) -> "IdentityClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return (
            f"IdentityClient(base_url={self._base_url!r}, timeout={self._timeout_s!r}, "
            f"max_retries={self._max_retries!r})"
        )

    def _verify(
        self, path: str, body: Mapping[str, Any], idempotency_key: Optional[str]
    ) -> Verification[Any]:
        def read(response: requests.Response, key: str) -> Verification[Any]:
            result = Verification[Any](read_json(response, costs=True))
            result.credits_charged = credits_charged(response)
            result.idempotency_key = key
            return result

        return self._post(path, body, idempotency_key, read)

    def _pages(self, query: Mapping[str, Any]) -> Iterator[Transaction]:
        while True:
            page = self._get("/api/v1/wallet/transactions/", read_transactions, query)
            yield from page["transactions"]
            cursor = page.get("next_cursor")
            if not cursor:
                return
            if cursor == query.get("cursor"):
                raise TransportError("The API returned the same page again instead of the next one.")
            # The first page fixes the range. The defaults would move with the clock.
            query = _present({**query, "from": page.get("from"), "to": page.get("to"), "cursor": cursor})

    def _post(
        self,
        path: str,
        body: Mapping[str, Any],
        idempotency_key: Optional[str],
        read: Callable[[requests.Response, str], T],
    ) -> T:
        """Makes a call that may be charged, with one idempotency key for all its attempts."""
        key = secrets.token_hex(16) if idempotency_key is None else idempotency_key
        _checks.check_idempotency_key(key)
        headers = {"Accept": "application/pdf, application/json", "Idempotency-Key": key}
        try:
            return self._call(
                "POST", path, lambda response: read(response, key), headers, body=_present(body)
            )
        except IdentityError as error:
            error.idempotency_key = key
            if idempotency_key is not None and error.charged is False and not knows_key(error):
                error.charged = None
            raise

    def _get(
        self, path: str, read: Callable[[requests.Response], T], query: Optional[Mapping[str, Any]] = None
    ) -> T:
        return self._call("GET", path, read, {"Accept": "application/json"}, query=query)

    def _call(
        self,
        method: str,
        path: str,
        read: Callable[[requests.Response], T],
        headers: Mapping[str, str],
        **content: Optional[Mapping[str, Any]],
    ) -> T:
        deadline = Deadline(self._timeout_s)

        def send() -> T:
            response = self._transport.send(method, path, deadline, headers=headers, **content)
            request_id = response.headers.get("X-Request-Id", "-")
            logger.debug("%s %s: %s %s", method, path, response.status_code, request_id)
            return read(response)

        return call_with_retries(send, max_retries=self._max_retries, deadline=deadline)


def _present(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
