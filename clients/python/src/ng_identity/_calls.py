"""
The operations of the API, without I/O. Each function checks its arguments, and returns the request and the
function that reads the response. Both clients send these calls, so they behave in the same way.
"""

import re
import secrets
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generic, List, Mapping, NamedTuple, Optional, TypeVar, Union, cast

from . import _checks
from ._belonging import Owns, owns_data, owns_file, owns_page, owns_record, owns_top_up
from ._checks import Moment, checked_page_size, utc_text
from ._http import Request, Response
from ._models import Bank, KeyUse, Me
from ._responses import credits_charged, read_json, read_list, read_pdf
from ._results import Balance, Envelope, Invoice, LogEntry, Slip, TopUp, Verification

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
ResultT = TypeVar("ResultT", bound=Union[Envelope[Any], Slip])


@dataclass(frozen=True)
class Call(Generic[T_co]):
    request: Request
    read: Callable[[Response], T_co]
    """Returns the result. Raises AttemptError for a response without one."""
    idempotency_key: Optional[str] = None
    """The key of a call that costs credits or starts a payment. None for any other call."""
    is_key_supplied: bool = False
    """Whether the caller supplied the key, under which an earlier call may have been charged."""

    @property
    def costs(self) -> bool:
        return self.request.costs


class Charged(NamedTuple):
    """The arguments of every call that costs credits."""

    idempotency_key: Optional[str]
    reference: Optional[str]
    consent: Optional[str]
    reason: Optional[str]


class Claim(NamedTuple):
    """The claimed details of a call, which the API compares with the record."""

    match: Optional[Mapping[str, Any]]
    match_only: bool

    def fields(self, id_type: str) -> Dict[str, Any]:
        """Returns the fields of the body. Raises ValueError if they are not valid for the call."""
        if not isinstance(self.match_only, bool):
            raise ValueError("match_only must be True or False.")
        if self.match is None:
            if self.match_only:
                raise ValueError("match_only=True requires match.")
            return {}
        if id_type not in _checks.PERSON_ID_TYPES:
            raise ValueError("match is available for NIN and BVN only.")
        match = {name: _checks.claimed_value(name, value) for name, value in self.match.items()}
        _checks.check_texts(match, "match.")
        return {"match": match, "match_only": True if self.match_only else None}


class Page(NamedTuple):
    """One page of a list."""

    entries: List[Any]
    following: Optional["Call[Page]"]
    data: Mapping[str, Any]
    """All of the page, such as its balances."""


def verify(
    id_type: str,
    id_number: str,
    advance: bool,
    company_type: Optional[str],
    bank_code: Optional[str],
    claim: Claim,
    charged: Charged,
) -> Call[Verification[Any]]:
    _checks.check_one_of("id_type", id_type, _checks.ID_TYPES)
    if not isinstance(advance, bool):
        raise ValueError("advance must be True or False.")
    if advance and id_type not in _checks.ADVANCED_ID_TYPES:
        raise ValueError(f"advance=True is available for NIN, BVN and CAC. {id_type} has one level only.")
    _check_bank_code(id_type, bank_code)
    _checks.check_number(id_type, id_number, company_type)
    path = f"/api/v1/ng/{id_type.lower()}-{'premium' if advance else 'basic'}/"
    number = {"id_number": id_number, "company_type": company_type, "bank_code": bank_code}
    body = {**number, **claim.fields(id_type)}
    owns = owns_record(
        id_type,
        id_number,
        company_type=company_type,
        bank_code=bank_code,
        is_premium=advance,
        needs_key=claim.match is not None,
    )
    return _verification(path, body, charged, owns)


class GatewayOptions(NamedTuple):
    level: str
    method: str
    country: str
    company_type: Optional[str]
    bank_code: Optional[str]


def verify_gateway(
    id_type: str, id_number: str, options: GatewayOptions, claim: Claim, charged: Charged
) -> Call[Verification[Any]]:
    level, method, country, company_type, bank_code = options
    _checks.check_one_of("id_type", id_type, _checks.ID_TYPES)
    _checks.check_one_of("level", level, _checks.LEVELS)
    _checks.check_one_of("method", method, _checks.METHODS)
    _checks.check_one_of("country", country, ("NG",))
    if level == "advanced" and id_type not in _checks.ADVANCED_ID_TYPES:
        raise ValueError(f'level "advanced" is available for NIN, BVN and CAC. {id_type} has one level only.')
    if method == "biometric" and (level != "advanced" or id_type not in _checks.PERSON_ID_TYPES):
        raise ValueError('method "biometric" is available for NIN and BVN at level "advanced" only.')
    _check_bank_code(id_type, bank_code)
    _checks.check_number(id_type, id_number, company_type)
    params = {"id_number": id_number, "company_type": company_type, "bank_code": bank_code}
    fields = {"country": country, "id_type": id_type, "method": method, "level": level}
    body = {**fields, "params": _present(params), **claim.fields(id_type)}
    owns = owns_record(
        id_type,
        id_number,
        company_type=company_type,
        bank_code=bank_code,
        is_premium=level == "advanced",
        needs_key=claim.match is not None or method == "biometric",
    )
    return _verification("/api/v1/identities/verify/", body, charged, owns)


def _check_bank_code(id_type: str, bank_code: Optional[str]) -> None:
    if bank_code is not None and id_type != "NUBAN":
        raise ValueError("bank_code is available for NUBAN only.")
    _checks.check_texts(_present({"bank_code": bank_code}))


def download_slip(
    nin: str, slip_type: str, match: Optional[Mapping[str, Any]], charged: Charged
) -> Call[Slip]:
    _checks.check_number("NIN", nin)
    _checks.check_one_of("slip_type", slip_type, _checks.SLIP_TYPES)

    def read(response: Response, key: str) -> Slip:
        slip = Slip(read_pdf(response))
        slip.credits_charged = credits_charged(response)
        slip.idempotency_key = key
        return _with_headers(slip, response)

    body = {"nin": nin, "slip_type": slip_type, **Claim(match, False).fields("NIN")}
    name = f"{slip_type}_{re.sub('[^0-9]', '', nin)}_slip.pdf"
    owns = owns_file(name, is_keyed=True, needs_key=match is not None)
    return _post("/api/v1/ng/nin/slip/download/", body, charged, read, owns)


def banks() -> Call[List[Bank]]:
    return _get("/api/v1/banks/", lambda response: read_list(response, "banks"), owns_data("BANKS"))


def me() -> Call[Me]:
    return _get("/api/v1/me/", lambda response: cast(Me, read_json(response)["data"]), owns_data("ME"))


def balance() -> Call[Balance]:
    return _get(
        "/api/v1/wallet/balance/",
        lambda response: _with_headers(Balance(read_json(response)), response),
        owns_data("WALLET_BALANCE"),
    )


def transactions(
    from_: Optional[Moment], to: Optional[Moment], type_: Optional[str], page_size: Optional[int]
) -> Call[Page]:
    if type_ is not None:
        _checks.check_one_of("type", type_, _checks.TRANSACTION_TYPES)
    query = _list_query(from_, to, page_size, {"type": type_})
    path = "/api/v1/wallet/transactions/"
    return _page(path, "WALLET_TRANSACTIONS", "transactions", query, fixes_range=True)


def lots(page_size: Optional[int]) -> Call[Page]:
    query = _present({"limit": checked_page_size(page_size)})
    return _page("/api/v1/wallet/lots/", "WALLET_LOTS", "lots", query)


def invoices(kind: Optional[str], page_size: Optional[int]) -> Call[Page]:
    if kind is not None:
        _checks.check_one_of("kind", kind, _checks.DOCUMENT_KINDS)
    query = _present({"kind": kind, "limit": checked_page_size(page_size)})
    return _page("/api/v1/wallet/invoices/", "WALLET_INVOICES", "invoices", query)


def invoice(number: str) -> Call[Invoice]:
    return _get(
        _invoice_path(number),
        lambda response: _with_headers(Invoice(read_json(response)), response),
        owns_data("WALLET_INVOICE", number=number),
    )


def download_invoice(number: str) -> Call[bytes]:
    headers = {"Accept": "application/pdf"}
    request = Request("GET", _invoice_path(number), headers, owns=owns_file(f"{number}.pdf", is_keyed=False))
    return Call(request, lambda response: read_pdf(response, costs=False))


def _invoice_path(number: str) -> str:
    _checks.check_path_part("number", number)
    return f"/api/v1/wallet/invoices/{number}/"


def start_top_up(amount: int, return_url: Optional[str], idempotency_key: Optional[str]) -> Call[TopUp]:
    """Returns a call that costs no credits. Its key ensures that a retry does not open a second order."""
    _checks.check_credits(amount)
    key = secrets.token_hex(16) if idempotency_key is None else idempotency_key
    _checks.check_idempotency_key(key)

    def read(response: Response) -> TopUp:
        result = _with_headers(TopUp(read_json(response)), response)
        result.idempotency_key = key
        return result

    headers = {"Accept": "application/json", "Idempotency-Key": key}
    body = _present({"credits": amount, "return_url": return_url})
    request = Request("POST", "/api/v1/wallet/top-ups/", headers, body=body, owns=owns_top_up(amount))
    return Call(request, read, key)


def revoke_slip(request_id: str) -> Call[None]:
    _checks.check_path_part("request_id", request_id)
    headers = {"Accept": "application/json"}
    body = {"request_id": request_id}
    owns = owns_data("SLIP_WITHDRAWN", request_id=request_id)
    return Call(Request("POST", "/api/v1/ng/nin/slip/revoke/", headers, body=body, owns=owns), lambda _: None)


def top_up(reference: str) -> Call[TopUp]:
    _checks.check_path_part("reference", reference)
    return _get(
        f"/api/v1/wallet/top-ups/{reference}/",
        lambda response: _with_headers(TopUp(read_json(response)), response),
        owns_data("WALLET_TOP_UP", reference=reference),
    )


def verifications(
    from_: Optional[Moment],
    to: Optional[Moment],
    page_size: Optional[int],
    *,
    reference: Optional[str] = None,
    service: Optional[str] = None,
    outcome: Optional[str] = None,
    idempotency_key: Optional[str] = None,
) -> Call[Page]:
    if service is not None:
        _checks.check_one_of("service", service, _checks.SERVICES)
    if outcome is not None:
        _checks.check_one_of("outcome", outcome, _checks.OUTCOMES)
    filters = {"reference": reference, "service": service, "outcome": outcome}
    query = _list_query(from_, to, page_size, filters)
    if idempotency_key is not None:
        _checks.check_idempotency_key(idempotency_key)
        if query:
            raise ValueError("idempotency_key cannot be combined with other arguments.")
        query = {"idempotency_key": idempotency_key}
    return _page("/api/v1/verifications/", "VERIFICATIONS", "verifications", query)


def key_uses(idempotency_key: str) -> Call[List[KeyUse]]:
    _checks.check_idempotency_key(idempotency_key)
    query = {"idempotency_key": idempotency_key}
    owns = owns_data("VERIFICATIONS")
    return _get("/api/v1/verifications/", lambda response: read_list(response, "key_uses"), owns, query)


def rejected_requests(from_: Optional[Moment], to: Optional[Moment], page_size: Optional[int]) -> Call[Page]:
    query = _list_query(from_, to, page_size, {"outcome": "REJECTED"})
    return _page("/api/v1/verifications/", "VERIFICATIONS", "rejected", query)


def verification(request_id: str) -> Call[LogEntry]:
    _checks.check_request_id(request_id)
    return _get(
        f"/api/v1/verifications/{request_id}/",
        lambda response: _with_headers(LogEntry(read_json(response)), response),
        owns_data("VERIFICATION", request_id=request_id),
    )


def _verification(
    path: str, body: Mapping[str, Any], charged: Charged, owns: Owns
) -> Call[Verification[Any]]:
    def read(response: Response, key: str) -> Verification[Any]:
        result = Verification[Any](read_json(response, costs=True))
        result.credits_charged = credits_charged(response)
        result.idempotency_key = key
        return _with_headers(result, response)

    return _post(path, body, charged, read, owns)


def _with_headers(result: ResultT, response: Response) -> ResultT:
    result.headers = response.headers
    return result


def _list_query(
    from_: Optional[Moment], to: Optional[Moment], page_size: Optional[int], filters: Mapping[str, Any]
) -> Dict[str, Any]:
    times = {"from": utc_text("from_", from_), "to": utc_text("to", to)}
    return _present({**times, **filters, "limit": checked_page_size(page_size)})


def _page(path: str, code: str, name: str, query: Mapping[str, Any], fixes_range: bool = False) -> Call[Page]:
    """
    Returns the call for one page of a list.

    code, name   the code of its response, and the field of its entries
    fixes_range  whether the following pages must repeat the range of the first page, because the default
                 range moves with the clock. The cursors of other lists contain the range
    """

    def read(response: Response) -> Page:
        entries = read_list(response, name)
        data = read_json(response)["data"]
        cursor = data.get("next_cursor")
        if not cursor:
            return Page(entries, None, data)
        times = {"from": data.get("from"), "to": data.get("to")} if fixes_range else {}
        following = _present({**query, **times, "cursor": cursor})
        return Page(entries, _page(path, code, name, following, fixes_range), data)

    return _get(path, read, owns_page(code, query), query)


def _post(
    path: str, body: Mapping[str, Any], charged: Charged, read: Callable[[Response, str], T], owns: Owns
) -> Call[T]:
    """Returns a call that may be charged, with one idempotency key for all its attempts."""
    supplied = charged.idempotency_key
    key = secrets.token_hex(16) if supplied is None else supplied
    _checks.check_idempotency_key(key)
    headers = {"Accept": "application/pdf, application/json", "Idempotency-Key": key}
    stored = _present({"reference": charged.reference, "consent": charged.consent, "reason": charged.reason})
    _checks.check_texts(stored)
    request = Request("POST", path, headers, body=_present({**body, **stored}), costs=True, owns=owns)
    return Call(request, lambda response: read(response, key), key, supplied is not None)


def _get(
    path: str, read: Callable[[Response], T], owns: Owns, query: Optional[Mapping[str, Any]] = None
) -> Call[T]:
    return Call(Request("GET", path, {"Accept": "application/json"}, query=query, owns=owns), read)


def _present(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
