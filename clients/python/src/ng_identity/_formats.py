"""What each identity number looks like (specification "ID number formats", decision D6)."""

import re
from typing import Mapping, NamedTuple, Pattern

ID_TYPES = ("NIN", "BVN", "CAC", "TIN", "NUBAN")
ADVANCED_ID_TYPES = ("NIN", "BVN", "CAC")
"""The types with a second tier: `advance=True`, and the only ones that the gateway knows."""
SLIP_TYPES = ("regular", "improved", "premium")


class NumberFormat(NamedTuple):
    pattern: Pattern[str]
    words: str
    """Completes the sentence "A NIN is ..."."""


NUMBER_FORMATS: Mapping[str, NumberFormat] = {
    "NIN": NumberFormat(re.compile(r"[0-9]{11}"), "exactly 11 digits"),
    "BVN": NumberFormat(re.compile(r"[0-9]{11}"), "exactly 11 digits"),
    "CAC": NumberFormat(re.compile(r"RC[0-9]{1,8}"), "RC followed by 1 to 8 digits"),
    "TIN": NumberFormat(re.compile(r"[0-9]{8}-[0-9]{4}"), "8 digits, a hyphen and 4 digits"),
    "NUBAN": NumberFormat(re.compile(r"[0-9]{10}"), "exactly 10 digits"),
}
TIN_OR_TAX_ID = NumberFormat(
    re.compile(r"[0-9]{8}-[0-9]{4}|[0-9]{13}"),
    "8 digits, a hyphen and 4 digits, or the 13 digits of a Tax ID",
)

_REQUEST_ID = re.compile(r"req_[0-9a-f]{12}")
_IDEMPOTENCY_KEY = re.compile(r"[A-Za-z0-9_-]{16,128}")


def check_one_of(name: str, value: object, allowed: "tuple[str, ...]") -> None:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} is one of {', '.join(allowed)}.")


def check_number(id_type: str, id_number: object, accept_tax_id: bool = False) -> None:
    """Raises ValueError with words that never repeat the number: they end in logs."""
    wanted = TIN_OR_TAX_ID if id_type == "TIN" and accept_tax_id else NUMBER_FORMATS[id_type]
    if not isinstance(id_number, str):
        raise ValueError(f"A {id_type} is given as text (str): as an int it would lose its leading zeros.")
    if not wanted.pattern.fullmatch(id_number):
        raise ValueError(f"A {id_type} is {wanted.words}, without spaces.")


def check_request_id(request_id: object) -> None:
    if not isinstance(request_id, str) or not _REQUEST_ID.fullmatch(request_id):
        raise ValueError("A request id is req_ and 12 of 0-9 a-f.")


def check_idempotency_key(key: object) -> None:
    if not isinstance(key, str) or not _IDEMPOTENCY_KEY.fullmatch(key):
        raise ValueError("An idempotency key is 16 to 128 of A-Z a-z 0-9 _ -.")
