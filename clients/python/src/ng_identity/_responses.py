"""Converts an HTTP response to the requested data, or to the corresponding error."""

import re
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Optional

from ._belonging import has_key
from ._errors import Rule, TransportError, charged_under_key, error_details, error_message, rule_of
from ._http import Response
from ._results import is_replay, request_id_of
from ._retry import AttemptError


def read_json(response: Response, costs: bool = False) -> Dict[str, Any]:
    """
    Returns the body of a successful response. Raises AttemptError for any other response: an error, an
    incomplete body, or a page from a proxy.
    """
    body = _body(response)
    if response.status_code != 200:
        raise _error_response(response, body, costs)
    is_complete = body is not None and body.get("success") is True and isinstance(body.get("code"), str)
    if body is None or not is_complete or not isinstance(body.get("data"), dict):
        raise _unusable(response, costs)
    return body


def read_list(response: Response, name: str) -> List[Any]:
    """Returns the list with this name from the data of a successful response."""
    found = read_json(response)["data"].get(name)
    if not isinstance(found, list):
        raise _unusable(response, costs=False)
    return found


def read_pdf(response: Response, costs: bool = True) -> bytes:
    """Returns the bytes of a complete PDF. Raises AttemptError for any other response."""
    if response.status_code != 200:
        raise _error_response(response, _body(response), costs)
    is_pdf = response.headers.get("Content-Type", "").startswith("application/pdf")
    if not is_pdf or not response.content.startswith(b"%PDF-"):
        raise _unusable(response, costs)
    return response.content


def credits_charged(response: Response) -> Optional[int]:
    """Returns the credits that this response cost, or None if the API did not say."""
    text = response.headers.get("X-Credits-Charged", "")
    return int(text) if text.isascii() and text.isdigit() else None


def _body(response: Response) -> Optional[Dict[str, Any]]:
    try:
        body = response.json()
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def _error_response(response: Response, body: Optional[Dict[str, Any]], costs: bool) -> AttemptError:
    status_code = response.status_code
    code = body.get("code") if body else None
    code = code if isinstance(code, str) else None
    details = error_details(body)
    rule = rule_of(status_code, code, details.reason)
    request_id = request_id_of(body)
    error = rule.error(
        # Another server, or a mock, may repeat the request and its key in a message.
        error_message(body if request_id else None, status_code),
        status_code=status_code,
        code=code,
        request_id=request_id or response.headers.get("X-Request-Id"),
        retryable=rule.retry != "no",
        charged=_charged(response, body, rule) if costs else False,
        retry_after=_retry_after_s(response),
        response=response,
        details=details,
    )
    return AttemptError(error, rule)


def _charged(response: Response, body: Optional[Dict[str, Any]], rule: Rule) -> Optional[bool]:
    """Returns whether a credit was charged under the call's key, as far as this error response shows."""
    of_key = charged_under_key(response)
    if of_key is not None:
        return of_key
    if not has_key(response):
        # It may be a proxy's, or the response to a different request.
        return rule.charged if _is_of_gateway(response, body) else None
    if response.status_code < 400:
        return None
    credits_taken = credits_charged(response)
    if is_replay(response.headers) or credits_taken:
        # This attempt was charged, or it is a free replay (without data) of an earlier one that was charged.
        return True
    if rule.charged is not False or credits_taken == 0:
        return rule.charged
    # The API's functions always send the header, with a number or `unknown`. A response without it comes
    # from a component in front of them. If that response is a 5xx, a function may still have charged the
    # call.
    has_header = "X-Credits-Charged" in response.headers
    return None if has_header or response.status_code >= 500 else False


def _is_of_gateway(response: Response, body: Optional[Dict[str, Any]]) -> bool:
    """
    Whether an error is API Gateway's own, and the request reached no function. Its errors have the envelope,
    but no time and no X-Credits-Charged. A function's error whose key was removed has a time.
    """
    meta = body.get("meta") if body else None
    has_no_time = isinstance(meta, dict) and meta.get("timestamp") == ""
    return has_no_time and response.status_code < 500 and "X-Credits-Charged" not in response.headers


def _unusable(response: Response, costs: bool) -> AttemptError:
    charged = None if costs else False
    error = TransportError(
        "The response is incomplete or does not come from the API. Possible causes are a broken connection, "
        "a proxy, or a wrong base URL.",
        status_code=response.status_code,
        request_id=response.headers.get("X-Request-Id"),
        retryable=True,
        charged=charged,
        response=response,
    )
    return AttemptError(error, Rule(TransportError, retry="later", charged=charged, automatic=True))


def _retry_after_s(response: Response) -> Optional[float]:
    """Reads Retry-After, which contains seconds or a date."""
    text = response.headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max(0.0, (moment - datetime.now(timezone.utc)).total_seconds())
