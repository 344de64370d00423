"""
Whether a response belongs to its request. It may be foreign, that is, belong to a different request, if
another process uses the same connection, or if the other side sent a response too many.
"""

import re
from typing import Any, Callable, Dict, Mapping, Optional

from ._errors import Rule, TransportError
from ._http import Request, Response
from ._retry import AttemptError

_NUMBER_FIELDS = {"NIN": "nin", "BVN": "bvn", "CAC": "rcNumber", "TIN": "tin", "NUBAN": "account_number"}

Owns = Callable[[Response], bool]


def is_foreign(request: Request, status_code: int, headers: Mapping[str, str]) -> bool:
    """
    Whether the status or the headers show that a response is not the final one of this request. The API
    repeats the request's Idempotency-Key. Errors of a gateway or a proxy have none.
    """
    key = headers.get("Idempotency-Key")
    return status_code < 200 or (key is not None and key != request.headers.get("Idempotency-Key"))


def foreign_response(costs: bool) -> AttemptError:
    """Returns the error of an attempt with a foreign response, which it does not contain."""
    charged = None if costs else False
    message = "The response is for a different request, or is not the final one."
    error = TransportError(message, retryable=True, charged=charged)
    rule = Rule(TransportError, retry="later", charged=charged, automatic=True)
    return AttemptError(error, rule, is_foreign=True)


def owns_record(id_type: str, number: str, company_type: Optional[str] = None) -> Owns:
    """Returns the check that a successful response contains the record of this number."""
    expected = _significant((company_type or "" if number.strip().isdigit() else "") + number)

    def owns(response: Response) -> bool:
        data = _data(response)
        if data is None:
            return True
        found = data.get(_NUMBER_FIELDS[id_type])
        if found is None:
            # If a proxy removed the header too, nothing shows to which request the response belongs.
            return "Idempotency-Key" in response.headers
        return isinstance(found, str) and _significant(found) == expected

    return owns


def owns_file(number: str, has_key: bool) -> Owns:
    """Returns the check that the file name of a PDF contains this number. Without both, `has_key` decides."""

    def owns(response: Response) -> bool:
        is_pdf = response.headers.get("Content-Type", "").startswith("application/pdf")
        if response.status_code != 200 or not is_pdf:
            return True
        name = response.headers.get("Content-Disposition")
        if name is None:
            return not has_key or "Idempotency-Key" in response.headers
        return re.search(rf"(?<![\w-]){re.escape(number)}(?![\w-])", name.replace("_", " ")) is not None

    return owns


def owns_data(code: str, **expected: Any) -> Owns:
    """Returns the check that a successful response has this code, and these values in its data."""

    def owns(response: Response) -> bool:
        data = _data(response)
        if data is None:
            return True
        if response.json().get("code") != code:
            return False
        return all(data.get(name, value) == value for name, value in expected.items())

    return owns


def owns_requests(reference: Optional[str]) -> Owns:
    """Returns the check that a successful response is a list of requests, all of them with this reference."""
    is_list = owns_data("VERIFICATIONS")

    def owns(response: Response) -> bool:
        listed = (_data(response) or {}).get("verifications")
        rows = [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []
        return is_list(response) and all(reference in (None, row.get("reference")) for row in rows)

    return owns


def _data(response: Response) -> Optional[Dict[str, Any]]:
    """Returns the data of a successful response of the API, or None for any other response."""
    try:
        body = response.json() if response.status_code == 200 else None
    except (ValueError, RecursionError):
        return None
    is_envelope = isinstance(body, dict) and isinstance(body.get("code"), str)
    data = body.get("data") if is_envelope and body is not None else None
    return data if isinstance(data, dict) else None


def _significant(number: str) -> str:
    """Returns a number without separators and leading zeros, which registries omit."""
    letters, digits = re.sub("[^A-Z]", "", number.upper()), re.sub("[^0-9]", "", number)
    return letters + digits.lstrip("0")
