"""
The API's responses as dictionaries with typed keys. They print, index and serialise like the received JSON.
All keys are optional (`total=False`), and keys that this version does not know are kept.
"""

from datetime import datetime, timezone
from typing import Any, Dict, Generic, List, Mapping, Optional, TypedDict, TypeVar, cast


class Residence(TypedDict, total=False):
    address1: str
    town: str
    lga: str
    state: str


class NinRecord(TypedDict, total=False):
    """The Basic fields, then those that Premium (`advance=True`) adds. Unregistered fields are empty."""

    nin: str
    firstname: str
    lastname: str
    middlename: str
    phone: str
    gender: str
    """`m` or `f`."""
    birthdate: str
    """DD-MM-YYYY."""
    photo: str
    """Base64. The reference image for a face comparison."""
    residence: Residence
    title: str
    email: str
    profession: str
    marital_status: str
    employment_status: str
    birth_state: str
    birth_country: str
    state_of_origin: str
    lga_of_origin: str
    nspokenlang: str
    religion: str
    next_of_kin: Dict[str, str]
    """Every value is masked as `****`."""
    signature: str
    tracking_id: str


class BvnRecord(TypedDict, total=False):
    bvn: str
    firstname: str
    lastname: str
    middlename: str
    birthdate: str
    gender: str
    phone: str
    photo: str
    title: str
    email: str
    nationality: str
    marital_status: str
    residential_address: str
    state_of_origin: str
    lga_of_origin: str
    state_of_residence: str
    lga_of_residence: str
    name_on_card: str
    nin: str
    phone_number2: str
    registration_date: str
    enrollment_bank: str
    enrollment_branch: str
    level_of_account: str
    watch_listed: str


class Director(TypedDict, total=False):
    surname: str
    firstname: str
    otherName: str


class Affiliate(TypedDict, total=False):
    surname: str
    firstname: str
    otherName: str
    corporationName: str
    rcNumber: str
    isCorporate: bool
    affiliateType: str
    nationality: str
    gender: str
    occupation: str
    email: str
    phoneNumber: str
    address: str
    city: str
    state: str
    status: str
    dateOfAppointment: str
    numSharesAlloted: float
    typeOfShares: str
    shareholdingPercentage: Optional[float]
    shareholdingPercentageDerived: bool


class CacRecord(TypedDict, total=False):
    companyName: str
    rcNumber: str
    """Starts with its type: RC, BN, IT, LP or LLP."""
    status: str
    registrationDate: str
    companyType: str
    classification: str
    headOfficeAddress: str
    branchAddress: str
    city: str
    lga: str
    state: str
    companyEmail: str
    natureOfBusiness: str
    shareCapital: float
    shareCapitalInWords: str
    affiliates: int
    directors: List[Director]
    affiliatesData: List[Affiliate]


class TinRecord(TypedDict, total=False):
    tin: str
    tin_format: str
    """FIRS (12 digits), JTB (10 digits) or TAX_ID (13 digits, in force since 1 January 2026)."""
    name: str
    tax_office: str
    registration_date: str
    business_type: str
    rc_number: str
    email: str
    phone: str


class NubanRecord(TypedDict, total=False):
    account_number: str
    account_name: str
    bank_code: str
    bank_name: str
    currency: str


class Bank(TypedDict, total=False):
    """An institution that holds accounts. A code is empty if no source publishes it."""

    name: str
    short_name: str
    kind: str
    """Such as `commercial`, `microfinance` or `mobile_money`."""
    cbn_code: str
    nip_code: str
    provider_codes: Dict[str, str]


class Transaction(TypedDict, total=False):
    """One charge or top-up of the wallet, in credits (integers)."""

    id: str
    type: str
    """`debit` or `credit`."""
    amount: int
    """Negative for charges."""
    created_at: str
    """UTC, ISO 8601."""
    balance_after: int
    request_id: Optional[str]
    """Debits: the request that was charged."""
    service: Optional[str]
    key_label: Optional[str]
    reference: Optional[str]
    """Credits: the payer's reference."""
    kind: str
    reason: Optional[str]


class LogRecord(TypedDict, total=False):
    """The log entry of one request. Contains neither the identity number nor the record."""

    request_id: str
    environment: str
    """`live` or `test`."""
    service: str
    """`nin-basic`, ..., `nin-slip`."""
    verification_type: str
    outcome: str
    """FOUND, NOT_FOUND, FAILED, UNREACHABLE, TIMEOUT, ERROR, ABANDONED or REFUSED. Only FOUND is charged."""
    http_status: int
    credits_charged: int
    is_replay: bool
    """True for a free replay under an idempotency key."""
    provider: str
    key_label: str
    latency_ms: int
    requested_at: str
    """UTC, ISO 8601."""
    consent: Optional[str]
    reason: Optional[str]


DataT = TypeVar("DataT")


class Envelope(Dict[str, Any], Generic[DataT]):
    """A response of the API: its JSON as a dict, with properties for the common fields."""

    @property
    def data(self) -> DataT:
        return cast(DataT, self["data"])

    @property
    def code(self) -> str:
        return str(self["code"])

    @property
    def message(self) -> str:
        return str(self.get("message", ""))

    @property
    def request_id(self) -> Optional[str]:
        """Quote it in support requests."""
        return request_id_of(self)

    @property
    def timestamp(self) -> Optional[datetime]:
        """When the service responded, in UTC."""
        return _moment(_mapping(self.get("meta")).get("timestamp"))


class Verification(Envelope[DataT]):
    """
    The result of a successful look-up. `data` is the registry's record: `result["data"]["nin"]` and
    `result.data["nin"]` are the same.
    """

    credits_charged: Optional[int] = None
    """The credits that this response cost: 0 for a free replay, None if the API did not say."""
    idempotency_key: str = ""
    """The key of the call. Repeating the call with this key within 24 hours is free."""

    @property
    def verified(self) -> bool:
        return _mapping(self.get("summary")).get("verified") is True

    @property
    def verification_type(self) -> str:
        return str(self.get("verification_type", ""))

    @property
    def provider(self) -> str:
        """The name of the provider that returned the record. "Sandbox" for test keys."""
        return str(_mapping(self.get("summary")).get("provider", ""))

    @property
    def confidence_score(self) -> float:
        return float(_mapping(self.get("summary")).get("confidence_score", 0.0))


class Balance(Envelope[Dict[str, Any]]):
    """The wallet's balance, in credits (integers)."""

    @property
    def available(self) -> int:
        """The credits that can be spent."""
        return int(self.data["available"])

    @property
    def held(self) -> int:
        """The credits reserved for calls in progress. May include charges that are not settled yet."""
        return int(self.data["held"])

    @property
    def environment(self) -> str:
        """`live` or `test`."""
        return str(self.data["environment"])


class LogEntry(Envelope[LogRecord]):
    """The log entry of one request, without identity data."""


def request_id_of(body: Optional[Mapping[str, Any]]) -> Optional[str]:
    """Returns `meta.request_id` of a body, whose shape is not checked yet."""
    value = _mapping((body or {}).get("meta")).get("request_id")
    return value if isinstance(value, str) and value else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _moment(value: object) -> Optional[datetime]:
    # `fromisoformat` accepts the Z only from Python 3.11.
    if not isinstance(value, str) or not value.endswith("Z"):
        return None
    for form in ("%Y-%m-%dT%H:%M:%S.%fZ", "%Y-%m-%dT%H:%M:%SZ"):
        try:
            return datetime.strptime(value, form).replace(tzinfo=timezone.utc)
        except ValueError:
            continue
    return None
