"""
The API's responses as dictionaries with typed keys. They can be indexed and serialised like the received
JSON. Every key of a record is present, and keys that this version does not know are kept. Times are text:
UTC, ISO 8601.

`npm run openapi` writes this file from docs/openapi.json: do not edit it.
"""

from typing import Dict, List, Literal, Optional, TypedDict, Union

IdType = Literal["NIN", "BVN", "CAC", "TIN", "NUBAN"]
CompanyType = Literal["RC", "BN", "IT", "LP", "LLP"]
"""The type of the registration. Required if the number consists of digits only."""
SlipType = Literal["regular", "improved", "premium"]
"""The layout of the slip."""
TransactionType = Literal["debit", "credit"]
DocumentKind = Literal["INVOICE", "RECEIPT", "CREDIT_NOTE", "STATEMENT"]
Service = Literal[
    "nin-basic",
    "nin-premium",
    "bvn-basic",
    "bvn-premium",
    "cac-basic",
    "cac-premium",
    "tin-basic",
    "nuban-basic",
    "nin-slip",
]
Outcome = Literal["FOUND", "NOT_FOUND", "FAILED", "UNREACHABLE", "TIMEOUT", "ERROR", "ABANDONED", "REFUSED"]
"""Only `FOUND` is charged."""
MatchReason = Literal[
    "ORDER_SWAPPED",
    "TONE_MARKS",
    "INITIAL",
    "SHORT_FORM",
    "SURNAME_CHANGED",
    "SPELLING_VARIANT",
    "COMPOUND_SPLIT",
    "FIRST_NAME_ABSENT",
    "GENERATION_DIFFERS",
    "TITLE_DIFFERS",
    "OTHER_NAME",
    "AMBIGUOUS_SHORT_FORM",
    "DAY_MONTH_SWAPPED",
    "DEFAULT_DATE",
    "COUNTRY_CODE",
]
"""Why the field differs. More reasons may be added."""


class Residence(TypedDict):
    address1: str
    """The first line of the address."""
    town: str
    """Town or city."""
    lga: str
    """Local government area."""
    state: str
    """State of Nigeria."""


class NinBasicRecord(TypedDict):
    nin: str
    """The number in the registry record."""
    firstname: str
    """First name."""
    lastname: str
    """Last name."""
    middlename: str
    """Middle name, or empty."""
    phone: str
    """Phone number, or empty. A Nigerian number is 0 plus ten digits."""
    gender: Literal["m", "f", ""]
    """`m` or `f`, or empty if the registry has none."""
    birthdate: str
    """DD-MM-YYYY, or empty."""
    photo: str
    """A JPEG or PNG in Base64 without a data URI prefix, or empty."""
    residence: Residence
    """Where the person lives."""


class NextOfKin(TypedDict):
    firstname: str
    """First name."""
    lastname: str
    """Last name."""
    middlename: str
    """Middle name, or empty."""
    address1: str
    """The first line of the address."""
    address2: str
    """The second line of the address."""
    town: str
    """Town or city."""
    lga: str
    """Local government area."""
    state: str
    """State of Nigeria."""
    postal_code: str
    """Postal code."""


class NinPremiumRecord(TypedDict):
    nin: str
    """The number in the registry record."""
    firstname: str
    """First name."""
    lastname: str
    """Last name."""
    middlename: str
    """Middle name, or empty."""
    phone: str
    """Phone number, or empty. A Nigerian number is 0 plus ten digits."""
    gender: Literal["m", "f", ""]
    """`m` or `f`, or empty if the registry has none."""
    birthdate: str
    """DD-MM-YYYY, or empty."""
    photo: str
    """A JPEG or PNG in Base64 without a data URI prefix, or empty."""
    residence: Residence
    """Where the person lives."""
    title: str
    """Such as `MR` or `MRS`, or empty."""
    email: str
    """Email address, or empty."""
    profession: str
    """Occupation, or empty."""
    marital_status: str
    """Sensitive personal data. Do not store or disclose it without a lawful basis."""
    employment_status: str
    """Such as `EMPLOYED`, or empty."""
    birth_state: str
    """State of birth."""
    birth_country: str
    """Country of birth."""
    state_of_origin: str
    """State of origin."""
    lga_of_origin: str
    """Local government area of origin."""
    nspokenlang: str
    """The language that the person speaks."""
    religion: str
    """Sensitive personal data. Do not store or disclose it without a lawful basis."""
    next_of_kin: NextOfKin
    """Always masked: every field is `****`."""
    signature: str
    """A JPEG or PNG in Base64 without a data URI prefix, or empty."""
    tracking_id: str
    """The tracking ID of the enrolment at NIMC."""


class BvnBasicRecord(TypedDict):
    bvn: str
    """The number in the registry record."""
    firstname: str
    """First name."""
    lastname: str
    """Last name."""
    middlename: str
    """Middle name, or empty."""
    birthdate: str
    """DD-MM-YYYY, or empty."""
    gender: Literal["m", "f", ""]
    """`m` or `f`, or empty if the registry has none."""
    phone: str
    """Phone number, or empty. A Nigerian number is 0 plus ten digits."""
    photo: str
    """A JPEG or PNG in Base64 without a data URI prefix, or empty."""


class BvnPremiumRecord(TypedDict):
    bvn: str
    """The number in the registry record."""
    firstname: str
    """First name."""
    lastname: str
    """Last name."""
    middlename: str
    """Middle name, or empty."""
    birthdate: str
    """DD-MM-YYYY, or empty."""
    gender: Literal["m", "f", ""]
    """`m` or `f`, or empty if the registry has none."""
    phone: str
    """Phone number, or empty. A Nigerian number is 0 plus ten digits."""
    photo: str
    """A JPEG or PNG in Base64 without a data URI prefix, or empty."""
    title: str
    """Such as `MR` or `MRS`, or empty."""
    email: str
    """Email address, or empty."""
    nationality: str
    """Nationality, or empty."""
    marital_status: str
    """Sensitive personal data. Do not store or disclose it without a lawful basis."""
    residential_address: str
    """Where the person lives."""
    state_of_origin: str
    """State of origin."""
    lga_of_origin: str
    """Local government area of origin."""
    state_of_residence: str
    """State of residence."""
    lga_of_residence: str
    """Local government area of residence."""
    name_on_card: str
    """The name on the BVN card."""
    nin: str
    """The number in the registry record."""
    phone_number2: str
    """A second phone number, or empty."""
    registration_date: str
    """DD-MM-YYYY, or empty."""
    enrollment_bank: str
    """The bank where the BVN was issued."""
    enrollment_branch: str
    """The branch where the BVN was issued."""
    level_of_account: str
    """The level of the account, such as `Level 2`."""
    watch_listed: str
    """`YES` if the BVN is on a watch list, `NO` if not, or empty."""


class Director(TypedDict):
    surname: str
    """Last name."""
    firstname: str
    """First name."""
    otherName: str
    """Middle name, or empty."""


class CacBasicRecord(TypedDict):
    companyName: str
    """The registered name."""
    rcNumber: str
    """
    The registration number. In the record of a company, it starts with its type: `RC`, `BN`, `IT`, `LP` or
    `LLP`. For an affiliate, it is as in the registry, or empty.
    """
    status: str
    """The status in the registry, such as `ACTIVE`."""
    registrationDate: str
    """DD-MM-YYYY, or empty."""
    companyType: str
    """The legal form."""
    classification: str
    """Such as company, business name or incorporated trustees."""
    headOfficeAddress: str
    """The address of the head office."""
    branchAddress: str
    """The address of a branch, or empty."""
    city: str
    """Town or city."""
    lga: str
    """Local government area."""
    state: str
    """State of Nigeria."""
    companyEmail: str
    """The company's email address, or empty."""
    natureOfBusiness: str
    """What the company does, or empty."""
    shareCapital: float
    """In naira. 0 if the registry has none."""
    shareCapitalInWords: str
    """The share capital as text, or empty."""
    affiliates: float
    """The number of affiliates in the registry."""
    directors: List[Director]
    """The names of the directors who are natural persons."""


class Affiliate(TypedDict):
    surname: str
    """Last name."""
    firstname: str
    """First name."""
    otherName: str
    """Middle name, or empty."""
    corporationName: str
    """The name of an affiliate that is a company, or empty."""
    rcNumber: str
    """
    The registration number. In the record of a company, it starts with its type: `RC`, `BN`, `IT`, `LP` or
    `LLP`. For an affiliate, it is as in the registry, or empty.
    """
    isCorporate: bool
    """Whether the affiliate is a company."""
    affiliateType: str
    """For example `DIRECTOR`, `SHAREHOLDER` or `PSC` (person with significant control)."""
    nationality: str
    """Nationality, or empty."""
    gender: str
    """`m` or `f`, or empty if the registry has none."""
    occupation: str
    """Occupation, or empty."""
    email: str
    """Email address, or empty."""
    phoneNumber: str
    """Phone number, or empty."""
    address: str
    """Address, or empty."""
    city: str
    """Town or city."""
    state: str
    """State of Nigeria."""
    status: str
    """The status in the registry, such as `ACTIVE`."""
    dateOfAppointment: str
    """DD-MM-YYYY, or empty."""
    numSharesAlloted: float
    """The number of allotted shares."""
    typeOfShares: str
    """Such as `ORDINARY`, or empty."""
    shareholdingPercentage: Optional[float]
    """
    Two decimals. Null if the registry has no percentage and it cannot be calculated from the allotted shares.
    """
    shareholdingPercentageDerived: bool
    """True if the percentage was calculated from the allotted shares."""


class CacPremiumRecord(TypedDict):
    companyName: str
    """The registered name."""
    rcNumber: str
    """
    The registration number. In the record of a company, it starts with its type: `RC`, `BN`, `IT`, `LP` or
    `LLP`. For an affiliate, it is as in the registry, or empty.
    """
    status: str
    """The status in the registry, such as `ACTIVE`."""
    registrationDate: str
    """DD-MM-YYYY, or empty."""
    companyType: str
    """The legal form."""
    classification: str
    """Such as company, business name or incorporated trustees."""
    headOfficeAddress: str
    """The address of the head office."""
    branchAddress: str
    """The address of a branch, or empty."""
    city: str
    """Town or city."""
    lga: str
    """Local government area."""
    state: str
    """State of Nigeria."""
    companyEmail: str
    """The company's email address, or empty."""
    natureOfBusiness: str
    """What the company does, or empty."""
    shareCapital: float
    """In naira. 0 if the registry has none."""
    shareCapitalInWords: str
    """The share capital as text, or empty."""
    affiliates: float
    """The number of affiliates in the registry."""
    directors: List[Director]
    """The names of the directors who are natural persons."""
    affiliatesData: List[Affiliate]
    """The affiliates: directors, shareholders, persons with significant control, and others."""


class TinRecord(TypedDict):
    tin: str
    """The number in its canonical form."""
    tin_format: Literal["FIRS", "JTB", "TAX_ID", "NIN", "RC"]
    """
    The format of the number: `FIRS` (12 digits), `JTB` (10 digits), `TAX_ID` (13 digits, in force since
    2026), `NIN` or `RC`.
    """
    name: str
    """The name of the taxpayer."""
    tax_office: str
    """The taxpayer's tax office."""
    registration_date: str
    """DD-MM-YYYY, or empty."""
    business_type: str
    """The type of the taxpayer, such as a company or a person."""
    rc_number: str
    """The registration number at CAC, or empty."""
    email: str
    """Email address, or empty."""
    phone: str
    """Phone number, or empty. A Nigerian number is 0 plus ten digits."""


class NubanRecord(TypedDict):
    account_number: str
    """The account number."""
    account_name: str
    """The name of the account holder."""
    bank_code: str
    """The code of the bank."""
    bank_name: str
    """The name of the bank."""
    currency: str
    """The currency (ISO 4217), such as `NGN`."""


class NinNumber(TypedDict):
    """The only field of `data` with `match_only`."""

    nin: str
    """The number in the registry record."""


class BvnNumber(TypedDict):
    """The only field of `data` with `match_only`."""

    bvn: str
    """The number in the registry record."""


class FieldMatch(TypedDict):
    result: Literal["exact", "strong", "partial", "none", "not_in_record", "unreadable"]
    """
    `not_in_record`: the registry has no value. `unreadable`: the value that you sent contains nothing to
    compare.
    """
    score: float
    """From 0 to 1. 0 if the field was not compared."""
    reasons: List[MatchReason]
    """Why the field differs. More reasons may be added."""


class FieldMatches(TypedDict, total=False):
    """The result for each field that you sent."""

    firstname: FieldMatch
    lastname: FieldMatch
    middlename: FieldMatch
    birthdate: FieldMatch
    gender: FieldMatch
    phone: FieldMatch


class Match(TypedDict):
    overall: Literal["exact", "strong", "partial", "none", "insufficient"]
    """
    `exact` or `strong`: the details match. `partial`: a person should decide. `none`: they do not match.
    `insufficient`: they are too few to decide.
    """
    score: float
    """From 0 to 1. Rely on `overall`: the score is for sorting and statistics."""
    algorithm: str
    """The version of the comparison. Store it with your decision."""
    fields: FieldMatches
    """The result for each field that you sent."""


class KeyOrganisation(TypedDict):
    id: str
    name: str
    status: Literal["PENDING", "APPROVED"]


class KeyDetails(TypedDict):
    label: str
    last_four: str
    expires_at: Optional[str]
    """When it expires. Null if it does not."""


class KeyLimits(TypedDict):
    requests_per_second: float
    """The sustained rate of each key."""
    burst: int
    """How many requests of a key may arrive at once."""


class ServiceAccess(TypedDict):
    service: Service
    is_enabled: bool
    """Whether the organisation may use the service. Test keys may use all services."""
    access: Literal["full", "match_only", "none"]
    """What the scopes of the key permit: `full`, only requests with `match_only`, or none."""
    credits: int
    """Whole credits."""


class Me(TypedDict):
    """An API key, and what it may do."""

    environment: Literal["live", "test"]
    organisation: KeyOrganisation
    key: KeyDetails
    scopes: List[str]
    """What the key may do. A key without a list has all scopes except `wallet:pay`."""
    limits: KeyLimits
    services: List[ServiceAccess]


class Bank(TypedDict):
    """An institution that holds accounts. A code is empty if no source publishes it."""

    name: str
    short_name: str
    kind: Literal[
        "commercial",
        "non_interest",
        "merchant",
        "payment_service_bank",
        "mobile_money",
        "development_finance",
        "mortgage",
        "microfinance",
        "finance_company",
    ]
    cbn_code: str
    nip_code: str
    provider_codes: Dict[str, str]


class BalanceData(TypedDict):
    environment: Literal["live", "test"]
    available: int
    """The number of whole credits that you can spend."""
    held: int
    """The number of whole credits reserved for requests in progress."""
    currency: Literal["credits"]
    """`credits` for the balance, `NGN` for documents and orders."""


class Transaction(TypedDict):
    """One charge, top-up or correction of the wallet."""

    id: str
    type: TransactionType
    amount: int
    """Whole credits. Negative for a debit or a correction that reduces the balance."""
    created_at: str
    balance_after: int
    """The balance after this entry. It includes entries that a filter leaves out."""
    request_id: Optional[str]
    service: Optional[Service]
    key_label: Optional[str]
    """The label of the request's API key."""
    reference: Optional[str]
    """
    In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a
    charge: its `request_id` leads to the log.
    """
    kind: Literal["CHARGE", "TOP_UP", "CORRECTION"]
    reason: Optional[str]


class Lot(TypedDict):
    """Credits that were added to the wallet together."""

    id: str
    kind: Literal["paid", "promotional", "refund", "correction"]
    credits: int
    """Whole credits."""
    remaining: int
    """The credits of the lot that are left. An estimate until the month is closed."""
    kobo_per_credit: int
    """The price without VAT, in whole kobo. 0 if the credits were not paid for."""
    net_kobo: int
    vat_kobo: int
    reference: str
    """
    In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a
    charge: its `request_id` leads to the log.
    """
    invoice: Optional[str]
    """The number of the invoice, or null."""
    created_at: str
    expires_at: Optional[str]
    """When it expires. Null if it does not."""


class InvoiceSummary(TypedDict):
    """An invoice, receipt, credit note or monthly statement."""

    number: str
    kind: DocumentKind
    issued_at: str
    month: str
    """The accounting month in Africa/Lagos, `yyyy-mm`."""
    currency: Literal["NGN"]
    """`credits` for the balance, `NGN` for documents and orders."""
    net_kobo: int
    vat_kobo: int
    total_kobo: int
    """With VAT, in whole kobo."""
    top_up: Optional[str]
    """The reference of the order, or null."""
    invoice: Optional[str]
    """The number of the invoice, or null."""


class Party(TypedDict):
    name: str
    address: List[str]
    tax_number: str
    email: str


class InvoiceLine(TypedDict):
    description: str
    quantity: int
    unit_kobo: int
    """The price without VAT, in whole kobo."""
    net_kobo: int
    vat_basis_points: int
    """The rate of VAT in hundredths of a percent: 750 is 7.5%."""
    vat_kobo: int
    total_kobo: int
    """With VAT, in whole kobo."""


class InvoicePayment(TypedDict):
    method: Optional[Literal["PAYSTACK", "TRANSFER"]]
    paid_at: str
    channel: str
    reference: str
    """
    In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a
    charge: its `request_id` leads to the log.
    """


class ServiceUse(TypedDict):
    service: str
    requests: int
    credits: int
    """Whole credits."""


class Statement(TypedDict):
    opening_credits: int
    bought_credits: int
    other_credits: int
    used_credits: int
    closing_credits: int
    services: List[ServiceUse]


class _OptionalInvoiceData(TypedDict, total=False):
    payment: InvoicePayment
    """Absent if the document is not about a payment."""
    statement: Statement
    """Only on monthly statements."""


class InvoiceData(_OptionalInvoiceData):
    environment: Literal["live", "test"]
    number: str
    kind: DocumentKind
    issued_at: str
    month: str
    """The accounting month in Africa/Lagos, `yyyy-mm`."""
    currency: Literal["NGN"]
    """`credits` for the balance, `NGN` for documents and orders."""
    net_kobo: int
    vat_kobo: int
    total_kobo: int
    """With VAT, in whole kobo."""
    top_up: Optional[str]
    """The reference of the order, or null."""
    invoice: Optional[str]
    """The number of the invoice, or null."""
    seller: Party
    buyer: Party
    lines: List[InvoiceLine]
    total_in_words: str
    reason: Optional[str]
    content_sha256: str
    """The SHA-256 hash of the content in hexadecimal. The PDF shows its first 16 characters."""


class TopUpData(TypedDict):
    """An order for credits."""

    environment: Literal["live", "test"]
    reference: str
    """
    In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a
    charge: its `request_id` leads to the log.
    """
    state: Literal["OPENED", "PAID", "CREDITED", "FAILED", "EXPIRED", "MISMATCH", "REFUNDED"]
    """
    The state of an order. `OPENED`: the payment has not arrived. `CREDITED`: the credits are in the wallet.
    `MISMATCH`: the payment differs from the order or came too late for its price, and the operator decides.
    """
    credits: int
    """Whole credits."""
    kobo_per_credit: int
    """The price without VAT, in whole kobo. 0 if the credits were not paid for."""
    net_kobo: int
    vat_kobo: int
    total_kobo: int
    """With VAT, in whole kobo."""
    currency: Literal["NGN"]
    """`credits` for the balance, `NGN` for documents and orders."""
    checkout_url: Optional[str]
    """The page where the order is paid, or null."""
    opened_at: str
    expires_at: str
    """When it expires. Null if it does not."""
    credited_at: Optional[str]
    invoice: Optional[str]
    """The number of the invoice, or null."""
    receipt: Optional[str]


class VerificationSummary(TypedDict):
    """One request. Contains neither the identity number nor the record."""

    request_id: str
    service: Service
    verification_type: IdType
    outcome: Outcome
    """Only `FOUND` is charged."""
    http_status: int
    """The HTTP status of the response."""
    credits_charged: int
    is_replay: bool
    """True for a free replay under an Idempotency-Key."""
    replay_of: Optional[str]
    """
    For a free replay, the ID of the charged request, which is the `request_id` of the line in the statement.
    Otherwise null.
    """
    provider: str
    key_label: str
    """The label of the request's API key."""
    latency_ms: int
    """Milliseconds from the request to its outcome."""
    requested_at: str
    reference: Optional[str]
    """
    In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a
    charge: its `request_id` leads to the log.
    """


class LogRecord(TypedDict):
    environment: Literal["live", "test"]
    request_id: str
    service: Service
    verification_type: IdType
    outcome: Outcome
    """Only `FOUND` is charged."""
    http_status: int
    """The HTTP status of the response."""
    credits_charged: int
    is_replay: bool
    """True for a free replay under an Idempotency-Key."""
    replay_of: Optional[str]
    """
    For a free replay, the ID of the charged request, which is the `request_id` of the line in the statement.
    Otherwise null.
    """
    provider: str
    key_label: str
    """The label of the request's API key."""
    latency_ms: int
    """Milliseconds from the request to its outcome."""
    requested_at: str
    reference: Optional[str]
    """
    In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a
    charge: its `request_id` leads to the log.
    """
    consent: Optional[str]
    reason: Optional[str]


class KeyUse(TypedDict):
    """What became of the requests to one route with an Idempotency-Key."""

    route: Literal[
        "nin-basic",
        "nin-premium",
        "bvn-basic",
        "bvn-premium",
        "cac-basic",
        "cac-premium",
        "tin-basic",
        "nuban-basic",
        "nin-slip",
        "verify-identity",
    ]
    """The name of the route, for example `nin-basic`, or `verify-identity` for the unified gateway."""
    key_state: Literal["charged", "not_charged", "in_progress"]
    """
    Whether a request with the key was charged. `in_progress`: it may still be charged. Every request is
    decided within 3 minutes.
    """
    request_id: str
    requested_at: str
    credits_charged: int
    replays_left: int
    """How many free replays the key has left."""


class RejectedRequests(TypedDict):
    """The requests that were rejected with one key and one code within a minute."""

    minute: str
    """The start of the minute."""
    code: str
    http_status: int
    """The HTTP status of the response."""
    count: int
    """How many requests were rejected. An estimate, because most are counted in batches."""
    route: str
    """The name of the route, for example `nin-basic`, or `verify-identity` for the unified gateway."""
    key_label: str
    """The label of the request's API key."""
    request_id: str


class BalanceEventData(TypedDict):
    available: int
    """Whole credits, without held ones."""
    low_below: int
    """Your threshold in whole credits."""
    sequence: int
    """Of the events of a wallet, a later one has a higher number."""


class BalanceEvent(TypedDict):
    """
    `balance.low`: The balance of the live wallet falls below your threshold. `wallet.empty`: The live wallet
    has no credits left.
    """

    id: str
    """As in `webhook-id`: the same in every attempt."""
    type: Literal["balance.low", "wallet.empty"]
    timestamp: str
    """When the event was published. ISO 8601 in UTC."""
    environment: Literal["live", "test"]
    data: BalanceEventData


class TopUpEventData(TypedDict):
    reference: str
    credits: int
    """Whole credits."""
    invoice: str
    available: int
    """Whole credits, without held ones."""
    sequence: int
    """Of the events of a wallet, a later one has a higher number."""


class TopUpEvent(TypedDict):
    """`top_up.credited`: The credits of a paid top-up are in the wallet."""

    id: str
    """As in `webhook-id`: the same in every attempt."""
    type: Literal["top_up.credited"]
    timestamp: str
    """When the event was published. ISO 8601 in UTC."""
    environment: Literal["live", "test"]
    data: TopUpEventData


class KeyEventData(TypedDict):
    label: str
    last_four: str
    not_after: str
    """When the key expires. ISO 8601 in UTC."""
    days_left: int


class KeyEvent(TypedDict):
    """
    `key.expiring`: An active API key that no rotation has replaced expires within 30 days. The event is sent
    again 7 days before the expiry.
    """

    id: str
    """As in `webhook-id`: the same in every attempt."""
    type: Literal["key.expiring"]
    timestamp: str
    """When the event was published. ISO 8601 in UTC."""
    environment: Literal["live", "test"]
    data: KeyEventData


class RegistryEventData(TypedDict):
    id_type: IdType


class RegistryEvent(TypedDict):
    """
    `registry.down`: Look-ups of an enabled service fail because no provider is available. `registry.up`:
    Look-ups of an enabled service work again.
    """

    id: str
    """As in `webhook-id`: the same in every attempt."""
    type: Literal["registry.down", "registry.up"]
    timestamp: str
    """When the event was published. ISO 8601 in UTC."""
    environment: Literal["live", "test"]
    data: RegistryEventData


class OrganisationEventData(TypedDict):
    organisation: str


class OrganisationEvent(TypedDict):
    """`organisation.approved`: Your organisation is approved for live access."""

    id: str
    """As in `webhook-id`: the same in every attempt."""
    type: Literal["organisation.approved"]
    timestamp: str
    """When the event was published. ISO 8601 in UTC."""
    environment: Literal["live", "test"]
    data: OrganisationEventData


class EndpointTestEventData(TypedDict):
    message: str


class EndpointTestEvent(TypedDict):
    """`test`: A member sends it to one endpoint, whichever events it receives."""

    id: str
    """As in `webhook-id`: the same in every attempt."""
    type: Literal["test"]
    timestamp: str
    """When the event was published. ISO 8601 in UTC."""
    environment: Literal["live", "test"]
    data: EndpointTestEventData


WebhookEvent = Union[BalanceEvent, TopUpEvent, KeyEvent, RegistryEvent, OrganisationEvent, EndpointTestEvent]
"""A union by `type`. Newer versions of the service may send other types: ignore those."""
