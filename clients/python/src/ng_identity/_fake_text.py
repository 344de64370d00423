"""The rules for text in the fake API, which are those of the service (shared/core/printable-text.ts)."""

import re
import unicodedata
from typing import List, Match

from ._service_data import TEXT

_ESCAPE = re.compile(TEXT["escape"], re.IGNORECASE)
_SET_ASIDE = re.compile(TEXT["set_aside"], re.IGNORECASE)
_LONG_NUMBER = re.compile(TEXT["long_number"])
_UNPRINTABLE = re.compile(TEXT["unprintable"])
_INVISIBLE_MARK = re.compile(TEXT["invisible_marks"])
_OTHER_DIGITS = str.maketrans(TEXT["digits"])


def is_name(text: str) -> bool:
    return is_printable(text) and any(character.isalpha() for character in text)


def is_printable(text: str) -> bool:
    before = " "
    for one in text:
        is_lone_mark = _INVISIBLE_MARK.match(one) and unicodedata.category(before)[0] in "ZM"
        if is_lone_mark or _UNPRINTABLE.match(one):
            return False
        before = one
    return True


def is_storable(text: str) -> bool:
    return is_printable(text) and not _LONG_NUMBER.search(_SET_ASIDE.sub("x", _spellings(text)))


def _spellings(text: str) -> str:
    return _plain_digits(f"{text} x {_ESCAPE.sub(_unescaped, text)}")


def _unescaped(written: Match[str]) -> str:
    entity = re.search("#(x?)([0-9a-f]+)", written[0], re.IGNORECASE)
    if entity:
        return chr(min(int(entity[2], 16 if entity[1] else 10), 0x10FFFF))
    units = re.findall("u([0-9a-f]{4})", written[0], re.IGNORECASE) or ["0020"]
    return bytes.fromhex("".join(units)).decode("utf-16-be", "replace")


def _plain_digits(text: str) -> str:
    """The text in NFKD without marks, and with ordinary digits instead of those in circles."""
    characters = unicodedata.normalize("NFKD", text).translate(_OTHER_DIGITS)
    return "".join(one for one in characters if unicodedata.category(one)[0] != "M")


def _units(text: str) -> List[int]:
    """The text in UTF-16, in which the service counts."""
    return [
        unit
        for code in map(ord, text)
        for unit in ([code] if code < 0x10000 else [0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF)])
    ]


def length(text: str) -> int:
    return len(_units(text))


def shown_name(name: str) -> str:
    """The name of an unknown field, in the form that an error may show."""
    codes = _units(_LONG_NUMBER.sub("****", name))[:64]
    return "".join(
        chr(code) if 32 <= code <= 126 and chr(code) not in '"\\' else f"\\u{code:04x}" for code in codes
    )


def contains_number(text: str, number: str) -> bool:
    """Whether text contains an identity number, even with separators between its digits."""
    is_company = re.fullmatch("[A-Z]{2,3}[0-9]{1,8}", number)
    written = "".join(one for one in _spellings(text) if one.isalnum())
    plain = re.sub(r"\d", lambda digit: str(int(digit[0])), written).upper()
    return is_company is None and number.replace("-", "") in plain
