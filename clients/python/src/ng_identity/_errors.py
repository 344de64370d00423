"""
Every error that the client raises, besides ValueError for input that it refuses before any request.

IdentityError                       anything else that the API or the way to it says
├── AuthenticationError             401: key, approval or subscription
├── ValidationError                 400 INVALID_SCHEMA, 413, 415, 422: the API refuses the input
├── NotFoundError                   the registry, or the log of the account, has no such record
├── VerificationFailedError         400: the registry answered with an error for this number
├── InsufficientFundsError          402: top up the wallet
├── RateLimitError                  429: wait for `retry_after` seconds
├── InProgressError                 409: another call with this idempotency key is still running
├── ReplayExhaustedError            409: this key was charged before, and its free repeats are used up
├── ServiceUnavailableError         503: the registry cannot be reached, or the outcome is unknown
├── RequestTimeoutError             504, or the client's own `timeout` has run out
├── ServerError                     500 and other 5xx
└── TransportError                  no connection, a broken one, or an answer that is not the API's
"""

from typing import Any, Dict, Mapping, NamedTuple, Optional, Type

from requests import Response


class IdentityError(Exception):
    """
    The base of all errors of the client.

    status_code      HTTP status, None if no answer came
    code             the API's error code, None if no answer of the API came
    request_id       quote it in support queries
    retryable        may the same call succeed if it is simply repeated?
    charged          was a credit taken under this call's idempotency key?
                     False: no. True: yes. None: not known, for want of an answer or because the key
                     came from you and the answer came before the API looked at it. Unless False, repeat
                     the call with the same `idempotency_key`: you get the data without a second charge
                     (after ReplayExhaustedError, no longer)
    retry_after      seconds that the API asks to wait, None if it does not say
    idempotency_key  the key of the call, None for calls that never cost
    response         the requests.Response, None if no answer came
    """

    def __init__(
        self,
        message: str,
        *,
        status_code: Optional[int] = None,
        code: Optional[str] = None,
        request_id: Optional[str] = None,
        retryable: bool = False,
        charged: Optional[bool] = False,
        retry_after: Optional[float] = None,
        response: Optional[Response] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status_code = status_code
        self.code = code
        self.request_id = request_id
        self.retryable = retryable
        self.charged = charged
        self.retry_after = retry_after
        self.response = response
        self.idempotency_key: Optional[str] = None

    def __str__(self) -> str:
        facts = (
            self.code,
            None if self.status_code is None else f"HTTP {self.status_code}",
            self.request_id,
            "charge unknown" if self.charged is None else None,
        )
        known = ", ".join(fact for fact in facts if fact)
        return f"{self.message} ({known})" if known else self.message


class AuthenticationError(IdentityError):
    pass


class ValidationError(IdentityError):
    pass


class NotFoundError(IdentityError):
    pass


class VerificationFailedError(IdentityError):
    pass


class InsufficientFundsError(IdentityError):
    pass


class RateLimitError(IdentityError):
    pass


class InProgressError(IdentityError):
    pass


class ReplayExhaustedError(IdentityError):
    pass


class ServiceUnavailableError(IdentityError):
    pass


class RequestTimeoutError(IdentityError):
    pass


class ServerError(IdentityError):
    pass


class TransportError(IdentityError):
    pass


class Rule(NamedTuple):
    """What one error code, or a status without a known code, means to the caller."""

    error: Type[IdentityError]
    retry: str = "no"
    """`no`, `once` or `later`, as in the service's catalogue: may the same request succeed if sent again?"""
    charged: Optional[bool] = False
    automatic: bool = False
    """Does the client repeat it by itself, within `max_retries` and `timeout`?"""


_AUTHENTICATION = Rule(AuthenticationError)
_VALIDATION = Rule(ValidationError)
_NOT_FOUND = Rule(NotFoundError)
# The registry's word about this number: repeating it costs a look-up, so the caller decides.
_FAILED = Rule(VerificationFailedError, retry="once")

CODES: Mapping[str, Rule] = {
    "HTTPS_REQUIRED": Rule(IdentityError),
    "INVALID_API_KEY": _AUTHENTICATION,
    "AUTH_FAILURE": _AUTHENTICATION,
    "UNAPPROVED_ORGANIZATION": _AUTHENTICATION,
    "SUBSCRIPTION_REQUIRED": _AUTHENTICATION,
    "RATE_LIMITED": Rule(RateLimitError, retry="later", automatic=True),
    "UNSUPPORTED_MEDIA_TYPE": _VALIDATION,
    "PAYLOAD_TOO_LARGE": _VALIDATION,
    "INVALID_SCHEMA": _VALIDATION,
    "INSUFFICIENT_FUNDS": Rule(InsufficientFundsError),
    "VERIFICATION_FAILED": _FAILED,
    "RECORD_NOT_FOUND": _NOT_FOUND,
    "VERIFICATION_LOG_NOT_FOUND": _NOT_FOUND,
    "VERIFICATION_NOT_FOUND": _NOT_FOUND,
    # Not a NotFoundError: a wrong base URL must not look like a person whom the registry does not know.
    "ROUTE_NOT_FOUND": Rule(IdentityError),
    # The answer itself was not charged; the call in progress under the same key may be.
    "REQUEST_IN_PROGRESS": Rule(InProgressError, retry="later", charged=None, automatic=True),
    "REPLAY_EXHAUSTED": Rule(ReplayExhaustedError, charged=True),
    "IDEMPOTENCY_KEY_REUSED": _VALIDATION,
    "SERVICE_UNAVAILABLE": Rule(ServiceUnavailableError, retry="later", automatic=True),
    "OUTCOME_UNKNOWN": Rule(ServiceUnavailableError, retry="later", charged=None, automatic=True),
    "TIMEOUT": Rule(RequestTimeoutError, retry="once", automatic=True),
    "SERVER_ERROR": Rule(ServerError, retry="once", automatic=True),
    **{f"{id_type}_NOT_FOUND": _NOT_FOUND for id_type in ("NIN", "BVN", "CAC", "TIN", "NUBAN")},
    **{f"{id_type}_VERIFICATION_FAILED": _FAILED for id_type in ("NIN", "BVN", "CAC", "TIN", "NUBAN")},
}
"""The service's error catalogue as this client sees it; a test compares the two."""

# Answers without a code that this version knows: of a proxy on the way, or of a newer service.
_STATUSES: Dict[int, Rule] = {
    401: _AUTHENTICATION,
    402: Rule(InsufficientFundsError),
    408: Rule(RequestTimeoutError, retry="later", charged=None, automatic=True),
    413: _VALIDATION,
    415: _VALIDATION,
    422: _VALIDATION,
    429: Rule(RateLimitError, retry="later", automatic=True),
    503: Rule(ServiceUnavailableError, retry="later", charged=None, automatic=True),
    504: Rule(RequestTimeoutError, retry="later", charged=None, automatic=True),
}
_OTHER_SERVER_FAULT = Rule(ServerError, retry="later", charged=None, automatic=True)


def rule_of(status_code: int, code: Optional[str]) -> Rule:
    """The rule of an answer that is not the wanted one."""
    if code is not None and code in CODES:
        return CODES[code]
    if status_code >= 500:
        return _STATUSES.get(status_code, _OTHER_SERVER_FAULT)
    return _STATUSES.get(status_code, Rule(IdentityError))


def knows_key(error: IdentityError) -> bool:
    """
    Did the API look at the idempotency key before it said this? Then "not charged" holds for every earlier
    call under the key too. Refusals that come before (key, rate, schema), and failures on the way, tell
    nothing of those.
    """
    after_key = (NotFoundError, VerificationFailedError, InsufficientFundsError)
    return isinstance(error, after_key) or error.code == "IDEMPOTENCY_KEY_REUSED"


def error_message(body: Optional[Mapping[str, Any]], status_code: int) -> str:
    """The API's words, or ours where a proxy answered in its place: its page is no message."""
    message = (body or {}).get("message")
    if isinstance(message, str) and message:
        return message
    return f"HTTP status {status_code} without the API's envelope: a proxy or another server answered."
