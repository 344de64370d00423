"""The client: one method for each thing that the API does."""

import logging
import secrets
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    Literal,
    Mapping,
    Optional,
    TypedDict,
    TypeVar,
    overload,
)

import requests

from . import _formats
from ._answers import credits_charged, read_json, read_pdf, read_transactions
from ._deadline import Deadline
from ._errors import IdentityError, TransportError, knows_key
from ._models import (
    Balance,
    BvnRecord,
    CacRecord,
    LogEntry,
    NinRecord,
    NubanRecord,
    TinRecord,
    Transaction,
    Verification,
)
from ._retry import call_with_retries
from ._settings import (
    Moment,
    checked_base_url,
    checked_max_retries,
    checked_page_size,
    checked_timeout,
    given_key,
    utc_text,
)
from ._slip_file import Path, SlipFile
from ._transport import Transport

if TYPE_CHECKING:
    from typing_extensions import Unpack

logger = logging.getLogger("ng_identity")

T = TypeVar("T")


class _Options(TypedDict, total=False):
    """The keyword arguments of each type in `verify`, for type checkers."""

    idempotency_key: Optional[str]
    consent: Optional[str]
    reason: Optional[str]


class _NubanOptions(_Options, total=False):
    bank_code: Optional[str]


class IdentityClient:
    """
    A client of the identity verification API. All its calls raise IdentityError, and ValueError for input
    that is refused before any request.

    api_key        default: the environment variable NG_IDENTITY_API_KEY
    timeout        seconds for a whole call, with all its repeats and waits (the look-up of the host's name,
                   which is the system's, excepted)
    base_url       default: the environment variable NG_IDENTITY_BASE_URL; https, or http to this machine
    session        a requests.Session of your own (proxies, certificates, tests), which you close. With it,
                   `timeout` bounds each read of an answer, and no longer their sum
    max_retries    how often a call is repeated, at most, after a failure that a repeat may mend. Every repeat
                   carries the idempotency key of the first send: it never charges twice
    accept_tax_id  accept the 13 digits of a Tax ID as a TIN, where the service is set to

    One client serves any number of threads and keeps its connections: make it once in each process, after a
    fork. Raises AuthenticationError without a usable key, ValueError for other settings without sense.
    """

    # A traceback of a refused setting prints the client before it has its own.
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
        accept_tax_id: bool = False,
    ) -> None:
        key = given_key(api_key)
        del api_key  # so that no traceback of what follows shows it
        key.check()
        self._base_url = checked_base_url(base_url)
        self._timeout_s = checked_timeout(timeout)
        self._max_retries = checked_max_retries(max_retries)
        self._accept_tax_id = accept_tax_id
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
        self, id_type: Literal["CAC"], id_number: str, advance: bool = ..., **options: "Unpack[_Options]"
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
        self, id_type: str, id_number: str, advance: bool = ..., **options: "Unpack[_NubanOptions]"
    ) -> Verification[Any]: ...
    def verify(
        self,
        id_type: str,
        id_number: str,
        advance: bool = False,
        *,
        bank_code: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        consent: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> Verification[Any]:
        """
        Verifies a number of one of the five types: "NIN", "BVN", "CAC", "TIN" or "NUBAN". Costs a credit if a
        record is found, else nothing. Raises ValueError, before any request, for a number of the wrong format
        and for what TIN and NUBAN do not have.

        advance          True asks for the complete record (Premium): NIN, BVN and CAC
        bank_code        NUBAN only
        idempotency_key  16 to 128 of A-Z a-z 0-9 _ -. Default: a new one for each call. Give the one of an
                         earlier error to get that call's data without a second charge
        consent, reason  up to 200 characters each, kept with the log entry
        """
        _formats.check_one_of("id_type", id_type, _formats.ID_TYPES)
        if not isinstance(advance, bool):
            raise ValueError("advance is True or False.")
        if advance and id_type not in _formats.ADVANCED_ID_TYPES:
            raise ValueError(f"advance=True is for NIN, BVN and CAC: {id_type} has one level.")
        if bank_code is not None and id_type != "NUBAN":
            raise ValueError("bank_code is for NUBAN.")
        _formats.check_number(id_type, id_number, self._accept_tax_id)
        path = f"/api/v1/ng/{id_type.lower()}-{'premium' if advance else 'basic'}/"
        body = {"id_number": id_number, "bank_code": bank_code, "consent": consent, "reason": reason}
        return self._verify(path, body, idempotency_key)

    def verify_gateway(
        self,
        id_type: str,
        id_number: str,
        *,
        level: str = "basic",
        method: str = "identity",
        country: str = "NG",
        idempotency_key: Optional[str] = None,
        consent: Optional[str] = None,
        reason: Optional[str] = None,
    ) -> Verification[Any]:
        """
        The same through the unified gateway: NIN, BVN or CAC, `level` "basic" or "advanced". `method`
        "biometric" (NIN and BVN, advanced) answers only with a usable photo.
        """
        _formats.check_one_of("id_type", id_type, _formats.ADVANCED_ID_TYPES)
        _formats.check_one_of("level", level, ("basic", "advanced"))
        _formats.check_one_of("method", method, ("identity", "biometric"))
        _formats.check_one_of("country", country, ("NG",))
        if method == "biometric" and (level != "advanced" or id_type == "CAC"):
            raise ValueError('method "biometric" is for NIN and BVN at level "advanced".')
        _formats.check_number(id_type, id_number)
        body = {
            "country": country,
            "id_type": id_type,
            "method": method,
            "level": level,
            "params": {"id_number": id_number},
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
        The PDF slip of a NIN that this account has verified before; `slip_type` "regular", "improved" or
        "premium". Costs a credit. `to`: also write it to this file, whole or not at all, readable by you
        only; the file is opened before the request, so that a wrong path costs nothing.
        """
        _formats.check_number("NIN", nin)
        _formats.check_one_of("slip_type", slip_type, _formats.SLIP_TYPES)
        path = "/api/v1/ng/nin/slip/download/"
        body = {"nin": nin, "slip_type": slip_type, "consent": consent, "reason": reason}
        if to is None:
            return self._post(path, body, idempotency_key, lambda response, _: read_pdf(response))
        with SlipFile(to) as file:
            pdf = self._post(path, body, idempotency_key, lambda response, _: read_pdf(response))
            file.write(pdf)
        return pdf

    def balance(self) -> Balance:
        """The wallet of the key's organisation and environment."""
        return self._get("/api/v1/wallet/balance/", lambda response: Balance(read_json(response)))

    def transactions(
        self,
        *,
        from_: Optional[Moment] = None,
        to: Optional[Moment] = None,
        type: Optional[str] = None,  # noqa: A002 the API's word
        page_size: Optional[int] = None,
    ) -> Iterator[Transaction]:
        """
        The wallet's charges and credits, oldest first. Pages are fetched while you iterate. From `from_`
        (default: the first of the month of `to`) up to but not including `to` (default: now); `type`:
        "debit" or "credit".
        """
        if type is not None:
            _formats.check_one_of("type", type, ("debit", "credit"))
        times = {"from": utc_text("from_", from_), "to": utc_text("to", to)}
        return self._pages(_present({**times, "type": type, "limit": checked_page_size(page_size)}))

    def verification(self, request_id: str) -> LogEntry:
        """The log entry of an earlier request, without identity data."""
        _formats.check_request_id(request_id)
        path = f"/api/v1/verifications/{request_id}/"
        return self._get(path, lambda response: LogEntry(read_json(response)))

    def close(self) -> None:
        """Closes the connections, unless the session is yours."""
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
                raise TransportError("The API answers with the same page for ever.")
            # The following pages are of the same times as the first, whatever the defaults are by then.
            query = _present({**query, "from": page.get("from"), "to": page.get("to"), "cursor": cursor})

    def _post(
        self,
        path: str,
        body: Mapping[str, Any],
        idempotency_key: Optional[str],
        read: Callable[[requests.Response, str], T],
    ) -> T:
        """One call that may cost, under one idempotency key for all its sends."""
        key = secrets.token_hex(16) if idempotency_key is None else idempotency_key
        _formats.check_idempotency_key(key)
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
