"""
Checks of settings and arguments, before any request is sent. The formats of identity numbers come from the
specification ("ID number formats").
"""

import os
import re
from datetime import date, datetime, timezone
from typing import Dict, Literal, Mapping, NamedTuple, Optional, Pattern, Tuple, Union, get_args
from urllib.parse import urlsplit

from ._errors import MalformedNumberError
from ._models import CompanyType, DocumentKind, IdType, Outcome, Service, SlipType, TransactionType

AdvancedIdType = Literal["NIN", "BVN", "CAC"]
"""The types that have a Premium record (`advance=True`). The unified gateway accepts only these."""
Level = Literal["basic", "advanced"]
Method = Literal["identity", "biometric"]

Moment = Union[str, date]
"""A date (midnight in UTC), a datetime with a time zone, or either as ISO 8601 text in UTC."""

ID_TYPES: Tuple[str, ...] = get_args(IdType)
PERSON_ID_TYPES: Tuple[str, ...] = ("NIN", "BVN")
"""The ID types of people. Only their records can be matched."""
ADVANCED_ID_TYPES: Tuple[str, ...] = get_args(AdvancedIdType)
COMPANY_TYPES: Tuple[str, ...] = get_args(CompanyType)
SLIP_TYPES: Tuple[str, ...] = get_args(SlipType)
LEVELS: Tuple[str, ...] = get_args(Level)
METHODS: Tuple[str, ...] = get_args(Method)
TRANSACTION_TYPES: Tuple[str, ...] = get_args(TransactionType)
DOCUMENT_KINDS: Tuple[str, ...] = get_args(DocumentKind)
SERVICES: Tuple[str, ...] = get_args(Service)
OUTCOMES: Tuple[str, ...] = get_args(Outcome)


class NumberFormat(NamedTuple):
    pattern: Pattern[str]
    description: str
    """Completes the sentence "The NIN must be ..."."""


# The same patterns as in the API's OpenAPI document. A test compares them.
_SPACE = r"[\t-\r \xa0\u202f\ufeff]*"
"""ASCII white space, and the no-break spaces that copied text contains."""
_RC_NUMBER = "[Rr][Cc][ -]?[0-9]{1,8}"


def _spaced(pattern: str) -> Pattern[str]:
    return re.compile(f"{_SPACE}{pattern}{_SPACE}")


NUMBER_FORMATS: Mapping[str, NumberFormat] = {
    "NIN": NumberFormat(
        _spaced("(?:[0-9](?:[ -]?[0-9]){10}|[A-Za-z][A-Za-z0-9]{15})"),
        "exactly 11 digits, or a virtual NIN of 16 letters and digits",
    ),
    "BVN": NumberFormat(_spaced("[0-9](?:[ -]?[0-9]){10}"), "exactly 11 digits"),
    "CAC": NumberFormat(
        _spaced("(?:(?:[Rr][Cc]|[Bb][Nn]|[Ii][Tt]|[Ll][Pp]|[Ll][Ll][Pp])[ -]?)?[0-9]{1,8}"),
        "RC, BN, IT, LP or LLP followed by 1 to 8 digits, or digits with company_type",
    ),
    "TIN": NumberFormat(
        _spaced(f"(?:[0-9]{{8}}-?[0-9]{{4}}|[0-9]{{10,11}}|[0-9]{{13}}|{_RC_NUMBER})"),
        "12 digits (a hyphen may follow the eighth), 10 digits, 13 digits, a NIN or an RC number",
    ),
    "NUBAN": NumberFormat(_spaced("[0-9](?:[ -]?[0-9]){9}"), "exactly 10 digits"),
}

_REQUEST_ID = re.compile(r"req_[0-9a-f]{12}")
# HTTP removes spaces at both ends of a header value, so a key must not have any there.
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e][\x20-\x7e]{6,253}[\x21-\x7e]")
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]+")
_HEADER_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_OWN_HEADERS = frozenset(
    (
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie",
        "expect",
        "host",
        "idempotency-key",
        "te",
        "transfer-encoding",
        "upgrade",
    )
)
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


def check_one_of(name: str, value: object, allowed: Tuple[str, ...]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}.")


def check_texts(fields: Mapping[str, object], prefix: str = "") -> None:
    """Raises ValueError for a value other than a str, such as a UUID, which JSON cannot express."""
    for name, value in fields.items():
        if not isinstance(value, str):
            raise ValueError(f"{prefix}{name} must be a str.")


def check_number(id_type: str, id_number: object, company_type: Optional[str] = None) -> None:
    """Raises MalformedNumberError. Its message may be logged, so it omits the number."""
    expected = NUMBER_FORMATS[id_type]
    name = "CAC number" if id_type == "CAC" else id_type
    if not isinstance(id_number, str):
        raise ValueError(f"The {name} must be a str: an int loses leading zeros.")
    if company_type is not None:
        if id_type != "CAC":
            raise ValueError("company_type is available for CAC only.")
        check_one_of("company_type", company_type, COMPANY_TYPES)
    number_type = re.sub("[^A-Z]", "", id_number.upper())
    lacks_type = id_type == "CAC" and not number_type and company_type is None
    if lacks_type or not expected.pattern.fullmatch(id_number):
        raise MalformedNumberError(f"The {name} must be {expected.description}.")
    if company_type is not None and number_type and number_type != company_type:
        raise MalformedNumberError("The CAC number and company_type name different types.")


def is_valid_nin(number: object) -> bool:
    """Whether the number has the format of a NIN or a virtual NIN, so that `verify` sends it."""
    return _is_valid("NIN", number)


def is_valid_bvn(number: object) -> bool:
    return _is_valid("BVN", number)


def is_valid_cac(number: object, company_type: Optional[CompanyType] = None) -> bool:
    return _is_valid("CAC", number, company_type)


def is_valid_tin(number: object) -> bool:
    return _is_valid("TIN", number)


def is_valid_nuban(number: object) -> bool:
    return _is_valid("NUBAN", number)


def _is_valid(id_type: str, number: object, company_type: Optional[str] = None) -> bool:
    try:
        check_number(id_type, number, company_type)
    except ValueError:
        return False
    return True


_GENDERS = {"m": "m", "male": "m", "f": "f", "female": "f"}
_DAY_FIRST = re.compile(r"([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})")


def claimed_value(name: str, value: object) -> object:
    """Returns a claimed detail in the form that the API reads: genders, and dates that begin with the day."""
    if name == "birthdate" and isinstance(value, date):
        return value.strftime("%d-%m-%Y")
    if not isinstance(value, str):
        return value
    if name == "gender":
        return _GENDERS.get(value.strip().lower(), value)
    found = _DAY_FIRST.fullmatch(value.strip()) if name == "birthdate" else None
    return f"{found[1]:0>2}-{found[2]:0>2}-{found[3]}" if found else value


def check_path_part(name: str, value: object) -> None:
    """Raises ValueError for text that could lead to a different path. The API checks the rest."""
    if not isinstance(value, str) or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._:-]*", value):
        raise ValueError(f"{name} must consist of letters, digits and the characters - . _ :")


def check_credits(amount: object) -> None:
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 1:
        raise ValueError("credits must be a whole number of 1 or more.")


def check_request_id(request_id: object) -> None:
    if not isinstance(request_id, str) or not _REQUEST_ID.fullmatch(request_id):
        raise ValueError("A request ID must be req_ followed by 12 characters from 0-9 and a-f.")


def check_idempotency_key(key: object) -> None:
    if not isinstance(key, str) or not _IDEMPOTENCY_KEY.fullmatch(key):
        raise ValueError(
            "An idempotency key must have 8 to 255 printable ASCII characters, and no space at either end."
        )


def checked_base_url(base_url: Optional[str]) -> str:
    value = os.environ.get("NG_IDENTITY_BASE_URL") if base_url is None else base_url
    if not value:
        raise ValueError("No base URL: pass base_url, or set the environment variable NG_IDENTITY_BASE_URL.")
    try:
        parts = urlsplit(value)
        _ = parts.port  # reading it validates it
    except ValueError:
        raise ValueError("base_url must contain a valid host and port.") from None
    if not parts.hostname or parts.query or parts.fragment or parts.username or parts.password:
        raise ValueError("base_url must look like https://api.example.com, without user, query or fragment.")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOCAL_HOSTS):
        raise ValueError(
            "base_url must start with https://, because http would send the API key unencrypted."
        )
    # The paths begin with /api/v1, which some callers copy into the URL.
    return re.sub("(?<!/)(/api)?(/v1)?/*$", "", value)


def checked_timeout(timeout: float) -> float:
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout < 86_400:
        raise ValueError("timeout must be a number of seconds above 0 and below 86,400 (one day).")
    return timeout


def checked_max_retries(max_retries: int) -> int:
    if isinstance(max_retries, bool) or not isinstance(max_retries, int) or max_retries < 0:
        raise ValueError("max_retries must be an integer of 0 or more.")
    return max_retries


def checked_headers(headers: Optional[Mapping[str, str]]) -> Dict[str, str]:
    """Returns the additional headers. Raises ValueError for a malformed one, or one that the client sets."""
    checked: Dict[str, str] = {}
    for name, value in (headers or {}).items():
        if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
            raise ValueError("A header name must consist of letters, digits and hyphens.")
        if name.lower() in _OWN_HEADERS:
            raise ValueError(f"The client sets the header {name} itself.")
        if not isinstance(value, str) or not _HEADER_VALUE.fullmatch(value):
            raise ValueError(f"The value of the header {name} must consist of printable ASCII characters.")
        checked[name] = value
    return checked


def checked_page_size(page_size: Optional[int]) -> Optional[int]:
    if page_size is not None and not (type(page_size) is int and 1 <= page_size <= 100):
        raise ValueError("page_size must be an integer from 1 to 100.")
    return page_size


def utc_text(name: str, moment: Optional[Moment]) -> Optional[str]:
    """Formats a time for the API: a date, or UTC with milliseconds and Z. Returns text unchanged."""
    if not isinstance(moment, datetime):
        return moment.isoformat() if isinstance(moment, date) else moment
    if moment.tzinfo is None:
        raise ValueError(f"{name} must be a datetime with a time zone.")
    utc = moment.astimezone(timezone.utc).replace(tzinfo=None)
    return f"{utc.isoformat(timespec='milliseconds')}Z"
