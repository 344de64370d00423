"""
The invented people of the sandbox (the service's shared/registries/sandbox). The same number belongs to the
same person there.
"""

import hashlib
import re
import unicodedata
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, TypeVar

from ._service_data import BANKS, CULTURES, PHONE_PREFIXES, STREETS

T = TypeVar("T")

_VARIANTS = {"0301": "marks", "0302": "swapped", "0303": "married", "0304": "initials", "0305": "date"}
HOOKED = str.maketrans("ƁɓƊɗƘƙƳƴ", "BbDdKkYy")
_BYTES_PER_VALUE = 6
_VALUES_PER_HASH = 5


class _Random:
    """Choices that depend only on a seed."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._position = 0
        self._hash = b""

    def below(self, limit: int) -> int:
        index = self._position % _VALUES_PER_HASH
        if index == 0:
            self._hash = hashlib.sha256(f"{self._seed}/{self._position}".encode()).digest()
        self._position += 1
        start = index * _BYTES_PER_VALUE
        return int.from_bytes(self._hash[start : start + _BYTES_PER_VALUE], "big") % limit

    def pick(self, values: Sequence[T]) -> T:
        return values[self.below(len(values))]

    def digits(self, count: int) -> str:
        return "".join(str(self.below(10)) for _ in range(count))


@dataclass(frozen=True)
class Person:
    firstname: str
    middlename: str
    lastname: str
    gender: str
    birthdate: str
    phone: str
    email: str
    street: str
    home: Mapping[str, str]
    """The `name`, `lga` and `state` of a town."""
    origin: Mapping[str, str]


def person_of(id_type: str, number: str) -> Person:
    """Returns the person to whom a number belongs: of a company, the first director."""
    # The bank, not the variant, is what an account's last digits select.
    variant = "" if id_type == "NUBAN" else _VARIANTS.get(ending_of(number), "")
    return _invented(_Random(_seed(id_type, number)), variant)


def ending_of(number: str) -> str:
    """Returns the last four digits of a number, which letters may follow, as in a virtual NIN."""
    return re.sub("[^0-9]", "", number)[-4:]


def bank_of_account(number: str) -> Dict[str, Any]:
    """Returns the bank that has the account."""
    random = _Random(f"NUBAN-BANK/{number}")
    if number[0] in "789":
        wallets = ("OPay", "PalmPay", "Moniepoint", "Kuda")
        return random.pick([bank for bank in BANKS if bank["short_name"] in wallets])
    deposit = sorted(
        (bank for bank in BANKS if len(bank["cbn_code"]) == 3), key=lambda bank: bank["cbn_code"]
    )
    fitting = [bank for bank in deposit if _check_digit(bank["cbn_code"] + number[:9]) == number[9]]
    return random.pick(fitting or deposit)


def _check_digit(digits: str) -> str:
    total = sum(int(digit) * (3, 7, 3)[index % 3] for index, digit in enumerate(digits))
    return str(-total % 10)


def _seed(id_type: str, number: str) -> str:
    shared = shared_key(id_type, number)
    return f"{id_type}/{number}" if shared is None else f"BVN/2{shared}"


def shared_key(id_type: str, number: str) -> Optional[str]:
    """Returns the ten digits that all numbers of a person have, or None if the person has no other number."""
    if id_type == "BVN":
        return number[1:]
    if id_type == "CAC":
        return f"00{number[-8:]}" if re.fullmatch("[A-Z]+[0-9]{8}", number) else None
    if re.fullmatch("9[0-9]{10}", number) and id_type in ("NIN", "TIN"):
        return number[1:]
    is_account = id_type == "NUBAN" and number.startswith("00")
    is_tin = id_type == "TIN" and re.fullmatch("00[0-9]{8}", number)
    return number if is_account or is_tin else None


def _invented(random: _Random, variant: str) -> Person:
    culture = random.pick(CULTURES)
    gender = "f" if variant == "married" else random.pick("mf")
    first, middle, family = _names(random, culture, gender, variant)
    husbands = random.pick([name for name in culture["family"] if name != family])
    names = _recorded((first, middle, family), husbands, variant)
    random.below(2)  # whether the person is married
    birthdate = _birthdate(random, variant)
    phone = random.pick(PHONE_PREFIXES) + random.digits(7)
    has_email = random.below(4) != 0
    address = f"{_plain(first)}.{_plain(family)}".lower()
    email = f"{address}{random.digits(2)}@example.com" if has_email else ""
    street = f"{1 + random.below(180)} {random.pick(STREETS)}"
    home = random.pick(random.pick(CULTURES)["towns"])
    return Person(*names, gender, birthdate, phone, email, street, home, random.pick(culture["towns"]))


def _names(
    random: _Random, culture: Mapping[str, List[str]], gender: str, variant: str
) -> Tuple[str, str, str]:
    def usable(names: List[str]) -> List[str]:
        return [name for name in names if variant != "marks" or name != _plain(name)]

    first = random.pick(usable(culture[gender]))
    others = [name for name in usable(culture[gender]) if name != first]
    has_middle = random.below(5) > 0 or variant == "initials"
    middle = random.pick(others) if has_middle else ""
    return first, middle, random.pick(usable(culture["family"]))


def _recorded(names: Tuple[str, str, str], husbands: str, variant: str) -> Tuple[str, str, str]:
    first, middle, family = [(name if variant == "marks" else _plain(name)).upper() for name in names]
    if variant == "swapped":
        return family, middle, first
    if variant == "married":
        return first, family, _plain(husbands).upper()
    if variant == "initials":
        return first[:1], middle[:1], family
    return first, middle, family


def _birthdate(random: _Random, variant: str) -> str:
    month = 1 + random.below(12)
    year = 1950 + random.below(57)
    day = 1 + ((month + random.below(11)) % 12) if variant == "date" else 1 + random.below(28)
    return f"{day:02}-{month:02}-{year}"


def _plain(name: str) -> str:
    """Returns a name in the letters A to Z."""
    return re.sub("[^A-Za-z]", "", unicodedata.normalize("NFD", name.translate(HOOKED)))
