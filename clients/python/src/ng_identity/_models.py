"""
The API's responses as dictionaries with typed keys. They can be indexed and serialised like the received
JSON. Every key of a record is present, and keys that this version does not know are kept.
"""

from datetime import date, datetime, timezone
from typing import Any, Dict, Generic, List, Literal, Mapping, Optional, TypedDict, TypeVar, Union, cast

from ._checks import DocumentKind, IdType, Outcome, Service
from ._http import Headers, RateLimit, rate_limit_of


class Residence(TypedDict):
    address1: str
    town: str
    lga: str
    state: str


class NextOfKin(TypedDict):
    """Every value is masked as `****`."""

    firstname: str
    lastname: str
    middlename: str
    address1: str
    address2: str
    town: str
    lga: str
    state: str
    postal_code: str


class NinBasicRecord(TypedDict):
    """Fields that the registry does not have are empty."""

    nin: str
    firstname: str
    lastname: str
    middlename: str
    phone: str
    gender: Literal["m", "f", ""]
    birthdate: str
    """DD-MM-YYYY."""
    photo: str
    """Base64. The reference image for a face comparison."""
    residence: Residence


class NinPremiumRecord(NinBasicRecord):
    """The complete record (`advance=True`)."""

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
    next_of_kin: NextOfKin
    signature: str
    tracking_id: str


class BvnBasicRecord(TypedDict):
    bvn: str
    firstname: str
    lastname: str
    middlename: str
    birthdate: str
    gender: Literal["m", "f", ""]
    phone: str
    photo: str


class BvnPremiumRecord(BvnBasicRecord):
    """The complete record (`advance=True`)."""

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


class NinNumber(TypedDict):
    """The record of a call with `match_only`."""

    nin: str


class BvnNumber(TypedDict):
    """The record of a call with `match_only`."""

    bvn: str


class ClaimedDetails(TypedDict, total=False):
    """
    The details that a person has given you. At least one is required. The API neither stores nor logs them.
    """

    firstname: str
    lastname: str
    middlename: str
    birthdate: Union[str, date]
    """A date, or text: DD-MM-YYYY (also with / or .) or YYYY-MM-DD."""
    gender: str
    """Male, female, m or f, in capitals or not."""
    phone: str


MatchReason = Literal[
    "ORDER_SWAPPED",
    "TONE_MARKS",
    "INITIAL",
    "SHORT_FORM",
    "SURNAME_CHANGED",
    "SPELLING_VARIANT",
    "COMPOUND_SPLIT",
    "DAY_MONTH_SWAPPED",
    "DEFAULT_DATE",
    "COUNTRY_CODE",
    "FIRST_NAME_ABSENT",
    "GENERATION_DIFFERS",
    "TITLE_DIFFERS",
    "OTHER_NAME",
    "AMBIGUOUS_SHORT_FORM",
]
"""Why a field differs. More reasons may be added."""


class FieldMatch(TypedDict):
    result: Literal["exact", "strong", "partial", "none", "not_in_record", "unreadable"]
    score: float
    """From 0 to 1."""
    reasons: List[MatchReason]


class FieldMatches(TypedDict, total=False):
    """The result for each field that was sent."""

    firstname: FieldMatch
    lastname: FieldMatch
    middlename: FieldMatch
    birthdate: FieldMatch
    gender: FieldMatch
    phone: FieldMatch


class Match(TypedDict):
    """How claimed details compare with the record."""

    overall: Literal["exact", "strong", "partial", "none", "insufficient"]
    """Base your decision on this: `exact` and `strong` are a match. Let a person decide on `partial`."""
    score: float
    """From 0 to 1."""
    algorithm: str
    """The version of the comparison."""
    fields: FieldMatches


class Director(TypedDict):
    surname: str
    firstname: str
    otherName: str


class Affiliate(TypedDict):
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


class CacBasicRecord(TypedDict):
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
    affiliates: float
    directors: List[Director]


class CacPremiumRecord(CacBasicRecord):
    """The complete record (`advance=True`)."""

    affiliatesData: List[Affiliate]


class TinRecord(TypedDict):
    tin: str
    tin_format: Literal["FIRS", "JTB", "TAX_ID", "NIN", "RC"]
    """
    FIRS (12 digits), JTB (10 digits), TAX_ID (13 digits, in force since 1 January 2026), or the NIN of a
    person or the RC number of a company, which are Tax IDs too.
    """
    name: str
    tax_office: str
    registration_date: str
    business_type: str
    rc_number: str
    email: str
    phone: str


class NubanRecord(TypedDict):
    account_number: str
    account_name: str
    bank_code: str
    bank_name: str
    currency: str


class KeyOrganisation(TypedDict):
    id: str
    name: str
    status: Literal["PENDING", "APPROVED"]


class KeyDetails(TypedDict):
    label: str
    last_four: str
    expires_at: Optional[str]


class KeyLimits(TypedDict):
    requests_per_second: float
    burst: int


class ServiceAccess(TypedDict):
    service: Service
    is_enabled: bool
    """Whether the organisation may use it."""
    access: Literal["full", "match_only", "none"]
    """What the scopes of the key permit."""
    credits: int
    """The price."""


class Me(TypedDict):
    """An API key, and what it may do."""

    environment: Literal["live", "test"]
    organisation: KeyOrganisation
    key: KeyDetails
    scopes: List[str]
    limits: KeyLimits
    services: List[ServiceAccess]


class Bank(TypedDict):
    """An institution that holds accounts. A code is empty if no source publishes it."""

    name: str
    short_name: str
    kind: str
    """Such as `commercial`, `microfinance` or `mobile_money`."""
    cbn_code: str
    nip_code: str
    provider_codes: Dict[str, str]


class BalanceData(TypedDict):
    environment: Literal["live", "test"]
    available: int
    held: int
    currency: str


class Transaction(TypedDict):
    """One charge, top-up or correction of the wallet, in credits (integers)."""

    id: str
    type: Literal["debit", "credit"]
    amount: int
    """Negative for a charge, or a correction that reduces the balance."""
    created_at: str
    """UTC, ISO 8601."""
    balance_after: int
    request_id: Optional[str]
    """Debits: the request that was charged."""
    service: Optional[Service]
    key_label: Optional[str]
    reference: Optional[str]
    """Credits: the reference of the top-up or correction. Debits: your own reference."""
    kind: Literal["CHARGE", "TOP_UP", "CORRECTION"]
    reason: Optional[str]


class Lot(TypedDict):
    """Credits that were added to the wallet together. Amounts of money are in kobo (integers)."""

    id: str
    kind: Literal["paid", "promotional", "refund", "correction"]
    credits: int
    remaining: int
    """An estimate until the month is closed."""
    kobo_per_credit: int
    """Without VAT. 0 if the credits were not paid for."""
    net_kobo: int
    vat_kobo: int
    reference: str
    """The reference of the credit in the list of transactions."""
    invoice: Optional[str]
    """The number of the invoice."""
    created_at: str
    """UTC, ISO 8601."""
    expires_at: Optional[str]


class InvoiceSummary(TypedDict):
    """An invoice, receipt, credit note or monthly statement. Amounts are in kobo (integers)."""

    number: str
    kind: DocumentKind
    issued_at: str
    """UTC, ISO 8601."""
    month: str
    """The accounting month in Africa/Lagos, `yyyy-mm`."""
    currency: Literal["NGN"]
    net_kobo: int
    vat_kobo: int
    total_kobo: int
    top_up: Optional[str]
    """The reference of the order."""
    invoice: Optional[str]
    """The number of the invoice that a receipt or a credit note belongs to."""


class Party(TypedDict):
    name: str
    address: List[str]
    tax_number: str
    email: str


class InvoiceLine(TypedDict):
    description: str
    quantity: int
    unit_kobo: int
    net_kobo: int
    vat_basis_points: int
    """The rate of VAT in hundredths of a percent: 750 is 7.5%."""
    vat_kobo: int
    total_kobo: int


class InvoicePayment(TypedDict):
    method: Optional[Literal["PAYSTACK", "TRANSFER"]]
    paid_at: str
    channel: str
    reference: str


class ServiceUse(TypedDict):
    service: str
    requests: int
    credits: int


class Statement(TypedDict):
    opening_credits: int
    bought_credits: int
    other_credits: int
    used_credits: int
    closing_credits: int
    services: List[ServiceUse]


class _InvoiceDetails(TypedDict, total=False):
    payment: InvoicePayment
    """Absent if the document is not about a payment."""
    statement: Statement
    """On monthly statements only."""


class InvoiceData(InvoiceSummary, _InvoiceDetails):
    """A whole document."""

    environment: Literal["live", "test"]
    seller: Party
    buyer: Party
    lines: List[InvoiceLine]
    total_in_words: str
    reason: Optional[str]
    """Why a credit note was issued."""
    content_sha256: str
    """The PDF shows its first characters."""


class TopUpData(TypedDict):
    """An order for credits. Amounts of money are in kobo (integers)."""

    environment: Literal["live", "test"]
    reference: str
    state: Literal["OPENED", "PAID", "CREDITED", "FAILED", "EXPIRED", "MISMATCH", "REFUNDED"]
    credits: int
    kobo_per_credit: int
    net_kobo: int
    vat_kobo: int
    total_kobo: int
    currency: Literal["NGN"]
    checkout_url: Optional[str]
    """The page where the order is paid."""
    opened_at: str
    expires_at: str
    credited_at: Optional[str]
    invoice: Optional[str]
    """The number of the invoice."""
    receipt: Optional[str]


class VerificationSummary(TypedDict):
    """One request in the list of requests. Contains neither the identity number nor the record."""

    request_id: str
    service: Service
    verification_type: IdType
    outcome: Outcome
    http_status: int
    credits_charged: int
    is_replay: bool
    """True for a free replay under an idempotency key."""
    replay_of: Optional[str]
    """For a free replay, the ID of the charged request."""
    provider: str
    key_label: str
    latency_ms: int
    requested_at: str
    """UTC, ISO 8601."""
    reference: Optional[str]
    """The caller's own reference."""


class KeyUse(TypedDict):
    """What became of the calls of one route with an idempotency key."""

    route: str
    """Such as "nin-basic", or "verify-identity" for the unified gateway."""
    key_state: Literal["charged", "not_charged", "in_progress"]
    request_id: str
    """The charged request, or the latest one."""
    requested_at: str
    credits_charged: int
    replays_left: int
    """How many free replays are left."""


class LogRecord(VerificationSummary):
    """The log entry of one request. Contains neither the identity number nor the record."""

    environment: Literal["live", "test"]
    consent: Optional[str]
    reason: Optional[str]


class RejectedRequests(TypedDict):
    """The requests that were rejected with one code, under one key, within one minute."""

    minute: str
    """The start of the minute: UTC, ISO 8601."""
    code: str
    http_status: int
    count: int
    """An estimate, because most requests are counted in batches."""
    route: str
    """The route of the request that `request_id` identifies."""
    key_label: str
    request_id: str
    """One of the requests, as an example."""


DataT = TypeVar("DataT", covariant=True)


class Envelope(Dict[str, Any], Generic[DataT]):
    """
    A response from the API: its JSON as a dict, with properties for the common fields. Its repr omits the
    data, so that logs contain no identity data.
    """

    headers: Headers = Headers()
    """The response's headers. The case of their names does not matter."""

    @property
    def data(self) -> DataT:
        return cast(DataT, self["data"])

    @property
    def rate_limit(self) -> Optional[RateLimit]:
        """The rate limit of the API key, or None if the response does not report it."""
        return rate_limit_of(self.headers)

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

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.get('code')} {self.request_id}>"

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
    """The key of the call. It permits three free replays within 24 hours."""

    @property
    def replayed(self) -> bool:
        """Whether this response repeats that of an earlier request under the same key, free of charge."""
        return is_replay(self.headers)

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

    @property
    def match(self) -> Optional[Match]:
        """How the details in `match` compare with the record. None without `match`."""
        return cast(Optional[Match], self.get("match"))


class Balance(Envelope[BalanceData]):
    """The wallet's balance, in credits (integers)."""

    @property
    def available(self) -> int:
        """The credits that can be spent."""
        return self.data["available"]

    @property
    def held(self) -> int:
        """The credits reserved for calls in progress."""
        return self.data["held"]

    @property
    def environment(self) -> Literal["live", "test"]:
        """`live` or `test`."""
        return self.data["environment"]


class Slip(bytes):
    """The PDF of a slip. Its repr omits the content, because a slip contains identity data."""

    credits_charged: Optional[int] = None
    """The credits that this response cost: 0 for a free replay, None if the API did not say."""
    idempotency_key: str = ""
    """The key of the call. It permits three free replays within 24 hours."""
    headers: Headers = Headers()
    """The response's headers. The case of their names does not matter."""

    @property
    def replayed(self) -> bool:
        """Whether this response repeats that of an earlier request under the same key, free of charge."""
        return is_replay(self.headers)

    @property
    def request_id(self) -> Optional[str]:
        """Quote it in support requests."""
        return self.headers.get("X-Request-Id")

    @property
    def rate_limit(self) -> Optional[RateLimit]:
        """The rate limit of the API key, or None if the response does not report it."""
        return rate_limit_of(self.headers)

    def __repr__(self) -> str:
        return f"<Slip {len(self)} bytes {self.request_id}>"

    __str__ = __repr__


class Invoice(Envelope[InvoiceData]):
    """An invoice, receipt, credit note or monthly statement."""


class TopUp(Envelope[TopUpData]):
    """An order for credits."""

    idempotency_key: str = ""
    """The key under which the order was opened. Empty in the result of `top_up`."""

    @property
    def replayed(self) -> bool:
        """Whether this response repeats that of an earlier request under the same key, free of charge."""
        return is_replay(self.headers)

    @property
    def reference(self) -> str:
        return self.data["reference"]

    @property
    def state(self) -> str:
        """`CREDITED` once the credits are in the wallet."""
        return self.data["state"]

    @property
    def checkout_url(self) -> Optional[str]:
        """The page where the order is paid."""
        return self.data["checkout_url"]


class LogEntry(Envelope[LogRecord]):
    """The log entry of one request, without identity data."""


def is_replay(headers: Mapping[str, str]) -> bool:
    return headers.get("Idempotent-Replayed") == "true"


def request_id_of(body: Optional[Mapping[str, Any]]) -> Optional[str]:
    """Returns `meta.request_id` from a body, whose shape is not checked yet."""
    value = _mapping((body or {}).get("meta")).get("request_id")
    return value if isinstance(value, str) and value else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _moment(value: object) -> Optional[datetime]:
    # `fromisoformat` accepts the Z only in Python 3.11 and later.
    if not isinstance(value, str) or not value.endswith("Z"):
        return None
    for form in ("%Y-%m-%dT%H:%M:%S.%fZ", "%Y-%m-%dT%H:%M:%SZ"):
        try:
            return datetime.strptime(value, form).replace(tzinfo=timezone.utc)
        except ValueError:
            continue
    return None
