"""
The errors of calls that fail. An invalid argument raises ValueError instead.

IdentityError                       any failure without its own class below
├── AuthenticationError             401: API key, approval or subscription
├── ValidationError                 400 INVALID_SCHEMA, 413, 415, 422: the API rejected the input
│   └── MalformedNumberError        before any request. Also a ValueError
├── NotFoundError                   no such record, log entry, document or order
├── VerificationFailedError         400: the registry returned an error or an unusable record
├── InsufficientFundsError          402: top up the wallet, or retry if `reason` is `held`
├── RateLimitError                  429: wait for `retry_after` seconds
├── InProgressError                 409: another call with this idempotency key is still in progress
├── ReplayExhaustedError            409: this call cannot be repeated again, or its data was erased
├── ServiceUnavailableError         503: the registry is unavailable, or the outcome is unknown
├── RequestTimeoutError             504, or no complete response arrived in time
├── ServerError                     500 and other 5xx
└── TransportError                  no connection, a broken one, or a response that is not the API's
"""

from typing import Any, Dict, Mapping, NamedTuple, Optional, Tuple, Type, get_args

from ._http import RateLimit, Response, rate_limit_of
from ._models import IdType


class ErrorDetails(NamedTuple):
    """The object `error` in a response."""

    reason: Optional[str]
    field: Optional[str]
    hint: Optional[str]


class IdentityError(Exception):
    """
    The base class of the errors of calls that fail.

    status_code      HTTP status, or None if no response arrived
    code             the API's error code, or None if no response from the API arrived
    request_id       quote it in support requests
    reason           why the API rejects the request, or None: `wrong_format`, `no_record`, `unknown_key`
                     and others. The API guide lists them
    field            the field that the reason concerns, such as `params.id_number`. Empty if it is the whole
                     body, None if there is no reason
    hint             what to do about the error, as a sentence, or None
    retryable        whether the same call may succeed if you repeat it unchanged
    charged          whether a credit was charged under this call's idempotency key.
                     False: no. True: yes. None: unknown, for example because no response arrived, or
                     because you supplied the key and the API responded before checking it. Unless it is
                     False, repeat the call with the same `idempotency_key`: you get the data without a
                     second charge (not possible after ReplayExhaustedError)
    retry_after      seconds that the API asks you to wait, or None
    idempotency_key  the key of the call, or None for calls that only read
    response         the response (`status_code`, `headers`, `content`, `text`, `json()`), or None if none
                     arrived
    rate_limit       the rate limit of the API key, or None if no response reported it
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
        details: Optional[ErrorDetails] = None,
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
        self.reason, self.field, self.hint = details or ErrorDetails(None, None, None)
        self.idempotency_key: Optional[str] = None

    @property
    def rate_limit(self) -> Optional[RateLimit]:
        return rate_limit_of(self.response.headers) if self.response is not None else None

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}(code={self.code!r}, status_code={self.status_code!r}, "
            f"request_id={self.request_id!r}, charged={self.charged!r})"
        )

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


class MalformedNumberError(ValidationError, ValueError):
    """Numbers come from people, so a malformed one is no error of the program."""

    def __init__(self, message: str) -> None:
        super().__init__(message, details=ErrorDetails("wrong_format", "id_number", None))


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
    """What an error code, or a status without a known code, means for the caller."""

    error: Type[IdentityError]
    retry: str = "no"
    """Whether a retry may succeed: `no`, `once` or `later`, as in the service's catalogue."""
    charged: Optional[bool] = False
    automatic: bool = False
    """Whether the client itself retries, within `max_retries` and `timeout`."""
    most_retries: Optional[int] = None
    """If set, the client retries no more often than this."""


_AUTHENTICATION = Rule(AuthenticationError)
_VALIDATION = Rule(ValidationError)
_NOT_FOUND = Rule(NotFoundError)
# The registry responded, and a retry costs another look-up, so the caller decides whether to retry.
_FAILED = Rule(VerificationFailedError, retry="once")

CODES: Mapping[str, Rule] = {
    "HTTPS_REQUIRED": Rule(IdentityError),
    "INVALID_API_KEY": _AUTHENTICATION,
    "INVALID_SIGNATURE": _AUTHENTICATION,
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
    "INVOICE_NOT_FOUND": _NOT_FOUND,
    "TOP_UP_NOT_FOUND": _NOT_FOUND,
    # Not a NotFoundError: a wrong base URL must not look like a missing record.
    "ROUTE_NOT_FOUND": Rule(IdentityError),
    "METHOD_NOT_ALLOWED": Rule(IdentityError),
    # This attempt was not charged, but the call in progress under the same key may be.
    "REQUEST_IN_PROGRESS": Rule(InProgressError, retry="later", charged=None, automatic=True),
    # Charged, unless the data of the call was erased, in which case the API no longer knows.
    "REPLAY_EXHAUSTED": Rule(ReplayExhaustedError, charged=None),
    "BILLING_INCOMPLETE": Rule(IdentityError),
    "IDEMPOTENCY_KEY_REUSED": _VALIDATION,
    "SERVICE_UNAVAILABLE": Rule(ServiceUnavailableError, retry="later", automatic=True),
    "OUTCOME_UNKNOWN": Rule(ServiceUnavailableError, retry="later", charged=None, automatic=True),
    "TIMEOUT": Rule(RequestTimeoutError, retry="once", automatic=True),
    "SERVER_ERROR": Rule(ServerError, retry="once", automatic=True),
    **{f"{id_type}_NOT_FOUND": _NOT_FOUND for id_type in get_args(IdType)},
    **{f"{id_type}_VERIFICATION_FAILED": _FAILED for id_type in get_args(IdType)},
}
"""The service's error catalogue, as this client handles it. A test compares the two."""

REASONS: Mapping[Tuple[str, str], Rule] = {
    # Other requests hold the credits. Most holds are released within seconds.
    ("INSUFFICIENT_FUNDS", "held"): Rule(
        InsufficientFundsError, retry="later", automatic=True, most_retries=1
    ),
    # The caller must change the request.
    ("VERIFICATION_FAILED", "no_photo"): Rule(VerificationFailedError),
    ("NUBAN_VERIFICATION_FAILED", "bank_code_required"): Rule(VerificationFailedError),
    ("NUBAN_VERIFICATION_FAILED", "unknown_bank"): Rule(VerificationFailedError),
}
"""The errors for which the reason, and not the code alone, decides whether a retry may succeed."""

# For responses without a known code, which come from a proxy or from a newer version of the service.
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
_OTHER_SERVER_ERROR = Rule(ServerError, retry="later", charged=None, automatic=True)


def rule_of(status_code: int, code: Optional[str], reason: Optional[str] = None) -> Rule:
    """Returns the rule for an error response."""
    if code is not None and reason is not None and (code, reason) in REASONS:
        return REASONS[code, reason]
    if code is not None and code in CODES:
        return CODES[code]
    if status_code >= 500:
        return _STATUSES.get(status_code, _OTHER_SERVER_ERROR)
    return _STATUSES.get(status_code, Rule(IdentityError))


def knows_key(error: IdentityError) -> bool:
    """
    Returns whether the API checked the idempotency key before it responded with this error. If so,
    `charged=False` holds for every earlier call under the key, because the response would otherwise be a
    replay. Errors from earlier checks (API key, rate limit, body, verification log) and connection failures
    say nothing about earlier calls.
    """
    if error.response is not None and charged_under_key(error.response) is not None:
        return True
    if error.response is None or error.response.headers.get("X-Credits-Charged") != "0":
        return False
    return (
        isinstance(error, InsufficientFundsError)
        or (isinstance(error, NotFoundError) and error.reason == "no_record")
        or (isinstance(error, VerificationFailedError) and error.reason in (None, "no_photo"))
    )


def charged_under_key(response: Response) -> Optional[bool]:
    """Returns whether the key of the call was charged by any request, or None if the API does not say it."""
    if "Idempotency-Key" not in response.headers:
        return None
    return {"true": True, "false": False}.get(response.headers.get("Idempotency-Key-Charged", ""))


def error_details(body: Optional[Mapping[str, Any]]) -> ErrorDetails:
    """Returns the object `error` from a body. Values that are missing or not strings are None."""
    error = (body or {}).get("error")
    values = [error.get(name) if isinstance(error, dict) else None for name in ErrorDetails._fields]
    return ErrorDetails(*(value if isinstance(value, str) else None for value in values))


def error_message(body: Optional[Mapping[str, Any]], status_code: int) -> str:
    """Returns the API's message, or the client's own if the body is not the API's envelope."""
    message = (body or {}).get("message")
    if isinstance(message, str) and message:
        return message
    return f"The HTTP {status_code} response does not come from the API, but from a proxy or another server."
