"""
Whether a response belongs to its request. It may be foreign, that is, belong to a different request, if
another process uses the same connection, or if the other side sent a response too many.
"""

import re
from datetime import datetime, timedelta
from typing import Any, Callable, Dict, Mapping, Optional

from ._errors import Rule, TransportError
from ._http import Request, Response
from ._retry import AttemptError

NUMBER_FIELDS = {"NIN": "nin", "BVN": "bvn", "CAC": "rcNumber", "TIN": "tin", "NUBAN": "account_number"}
_PREMIUM_FIELDS = {"NIN": "tracking_id", "BVN": "watch_listed", "CAC": "affiliatesData"}
"""A field that every Premium record has, and no Basic record."""

Owns = Callable[[Response], bool]


def is_foreign(request: Request, status_code: int, headers: Mapping[str, str]) -> bool:
    """
    Whether the status or the headers show that a response is not the final one of this request. The API
    repeats the request's Idempotency-Key. Errors of a gateway or a proxy have none.
    """
    key = headers.get("Idempotency-Key")
    sent = request.headers.get("Idempotency-Key")
    # A proxy may send the header twice.
    return status_code < 200 or (key is not None and key.strip() not in (sent, f"{sent}, {sent}"))


def has_key(response: Response) -> bool:
    """Whether a response, which is not foreign, has the key of its request. A proxy may have removed it."""
    return "Idempotency-Key" in response.headers


def foreign_response(costs: bool) -> AttemptError:
    """Returns the error of an attempt with a foreign response, which it does not contain."""
    charged = None if costs else False
    message = "The response is for a different request, or is not the final one."
    error = TransportError(message, retryable=True, charged=charged)
    rule = Rule(TransportError, retry="later", charged=charged, automatic=True)
    return AttemptError(error, rule, is_foreign=True)


def owns_record(
    id_type: str,
    number: str,
    *,
    company_type: Optional[str] = None,
    bank_code: Optional[str] = None,
    is_premium: bool,
    needs_key: bool,
) -> Owns:
    """
    Returns the check that a successful response contains the record that was asked for.

    needs_key  whether a response without the key cannot be told from one to a similar request, because the
               record does not contain what was asked for, such as the claimed details
    """
    expected = _plain((company_type or "" if number.strip().isdigit() else "") + number)

    def owns(response: Response) -> bool:
        data = _data(response)
        if data is None:
            return True
        body = response.json()
        found = data.get(NUMBER_FIELDS[id_type])
        is_right = isinstance(found, str) and _plain(found) == expected
        if body["code"] != f"{id_type}_VERIFIED":
            return False
        if has_key(response):
            return is_right or found is None
        premium_field = _PREMIUM_FIELDS.get(id_type)
        has_level = premium_field is None or (premium_field in data) == is_premium
        # The API may return a different code of the same bank, or have chosen the bank itself.
        has_bank = id_type != "NUBAN" or (bank_code is not None and data.get("bank_code") == bank_code)
        return is_right and has_level and has_bank and "match" not in body and not needs_key

    return owns


def owns_file(name: str, *, is_keyed: bool, needs_key: bool = False) -> Owns:
    """
    Returns the check that a PDF has this file name. If it has none, its key decides, if the request
    `is_keyed`.
    """

    def owns(response: Response) -> bool:
        is_pdf = response.headers.get("Content-Type", "").startswith("application/pdf")
        if response.status_code != 200 or not is_pdf:
            return True
        disposition = response.headers.get("Content-Disposition")
        if disposition is None:
            return is_keyed and has_key(response)
        is_named = name in re.split(r"[\s\"';=]+", disposition)
        return is_named and (has_key(response) or not needs_key)

    return owns


def owns_data(code: str, **expected: Any) -> Owns:
    """Returns the check that a successful response has this code, and these values in its data."""

    def owns(response: Response) -> bool:
        data = _data(response)
        if data is None:
            return True
        has_values = all(data.get(name) == value for name, value in expected.items())
        return response.json()["code"] == code and has_values

    return owns


def owns_top_up(amount: int) -> Owns:
    """
    Returns the check that a successful response is the order that the request opened. Without the key, it
    may be a different order for as many credits.
    """
    is_order = owns_data("WALLET_TOP_UP", credits=amount)
    return lambda response: is_order(response) and (_data(response) is None or has_key(response))


_ROWS = {
    "WALLET_TRANSACTIONS": "transactions",
    "WALLET_LOTS": "lots",
    "WALLET_INVOICES": "invoices",
    # Next to them, a page has `rejected`. With the outcome REJECTED, it has no rows here.
    "VERIFICATIONS": "verifications",
}
"""The rows of each list, which have a field for each of its filters, by the code of the response."""


def owns_page(code: str, query: Mapping[str, Any]) -> Owns:
    """Returns the check that a successful response is the page of a list that this query selects."""
    is_list = owns_data(code)
    others = ("from", "to", "limit", "cursor", "idempotency_key")
    filters = {field: query[field] for field in query if field not in others}

    def owns(response: Response) -> bool:
        data = _data(response)
        if data is None:
            return True
        rows = data.get(_ROWS[code])
        rows = rows if isinstance(rows, list) else []
        is_selected = all(
            isinstance(row, dict) and all(row.get(field) == value for field, value in filters.items())
            for row in rows
        )
        # Otherwise, it is the page before.
        is_next = "cursor" not in query or data.get("next_cursor") != query["cursor"]
        is_of_key = "idempotency_key" not in query or "key_uses" in data
        return is_list(response) and is_selected and is_next and is_of_key and _has_range(data, query)

    return owns


def _has_range(data: Mapping[str, Any], query: Mapping[str, Any]) -> bool:
    """Whether a page has the range of the query. The API replaces an end in the future with the time."""
    try:
        is_start = "from" not in query or instant(str(data.get("from"))) == instant(query["from"])
        return is_start and ("to" not in query or instant(str(data.get("to"))) <= instant(query["to"]))
    except ValueError:
        return False


_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:Z|([+ -])([0-9]{2}):([0-9]{2})))?"
)


def instant(text: str) -> str:
    """
    Converts a date or time of the API to UTC: 2026-01-15T00:00:00.000Z. Raises ValueError for one that does
    not exist.
    """
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError("This is no date or time of the API.")
    day, time, fraction, sign, hours, minutes = found.groups()
    local = datetime.strptime(f"{day}T{time or '00:00:00'}", "%Y-%m-%dT%H:%M:%S")
    if int(hours or 0) > 23 or int(minutes or 0) > 59 or (time or "").endswith(":60"):
        raise ValueError("This time does not exist.")
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    utc = local + offset if sign == "-" else local - offset
    return f"{utc.isoformat(timespec='seconds')}.{(fraction or '')[:3]:0<3}Z"


def _data(response: Response) -> Optional[Dict[str, Any]]:
    """Returns the data of a successful response of the API, or None for any other response."""
    try:
        body = response.json() if response.status_code == 200 else None
    except (ValueError, RecursionError):
        return None
    is_envelope = isinstance(body, dict) and isinstance(body.get("code"), str)
    data = body.get("data") if is_envelope and body is not None else None
    return data if isinstance(data, dict) else None


def _plain(number: str) -> str:
    """Returns a number in capitals and without separators."""
    return re.sub("[^A-Z0-9]", "", number.upper())
