/**
 * The data of the API, with the API's own field names. `npm run openapi` writes this file from docs/openapi.json. A
 * field of a record is never missing: if the registry has no value for a string, the string is empty. Times are UTC in
 * ISO 8601. Amounts whose names end in `kobo` are in whole kobo.
 */

export type Environment = 'live' | 'test';
export type Gender = 'm' | 'f' | '';
export type MatchReason =
  | 'ORDER_SWAPPED'
  | 'TONE_MARKS'
  | 'INITIAL'
  | 'SHORT_FORM'
  | 'SURNAME_CHANGED'
  | 'SPELLING_VARIANT'
  | 'COMPOUND_SPLIT'
  | 'FIRST_NAME_ABSENT'
  | 'GENERATION_DIFFERS'
  | 'TITLE_DIFFERS'
  | 'OTHER_NAME'
  | 'AMBIGUOUS_SHORT_FORM'
  | 'DAY_MONTH_SWAPPED'
  | 'DEFAULT_DATE'
  | 'COUNTRY_CODE';
export type IdType = 'NIN' | 'BVN' | 'CAC' | 'TIN' | 'NUBAN';
export type CompanyType = 'RC' | 'BN' | 'IT' | 'LP' | 'LLP';
export type SlipType = 'regular' | 'improved' | 'premium';
export type ServiceName =
  | 'nin-basic'
  | 'nin-premium'
  | 'bvn-basic'
  | 'bvn-premium'
  | 'cac-basic'
  | 'cac-premium'
  | 'tin-basic'
  | 'nuban-basic'
  | 'nin-slip';
export type Outcome =
  | 'FOUND'
  | 'NOT_FOUND'
  | 'FAILED'
  | 'UNREACHABLE'
  | 'TIMEOUT'
  | 'ERROR'
  | 'ABANDONED'
  | 'REFUSED';
export type DocumentKind = 'INVOICE' | 'RECEIPT' | 'CREDIT_NOTE' | 'STATEMENT';

export interface NinBasicRecord {
  /** The number in the registry record. */
  nin: string;
  /** First name. */
  firstname: string;
  /** Last name. */
  lastname: string;
  /** Middle name, or empty. */
  middlename: string;
  /** Phone number, or empty. A Nigerian number is 0 plus ten digits. */
  phone: string;
  /** `m` or `f`, or empty if the registry has none. */
  gender: Gender;
  /** DD-MM-YYYY, or empty. */
  birthdate: string;
  /** A JPEG or PNG in Base64 without a data URI prefix, or empty. */
  photo: string;
  /** Where the person lives. */
  residence: Residence;
}

export interface Residence {
  /** The first line of the address. */
  address1: string;
  /** Town or city. */
  town: string;
  /** Local government area. */
  lga: string;
  /** State of Nigeria. */
  state: string;
}

export interface NinPremiumRecord {
  /** The number in the registry record. */
  nin: string;
  /** First name. */
  firstname: string;
  /** Last name. */
  lastname: string;
  /** Middle name, or empty. */
  middlename: string;
  /** Phone number, or empty. A Nigerian number is 0 plus ten digits. */
  phone: string;
  /** `m` or `f`, or empty if the registry has none. */
  gender: Gender;
  /** DD-MM-YYYY, or empty. */
  birthdate: string;
  /** A JPEG or PNG in Base64 without a data URI prefix, or empty. */
  photo: string;
  /** Where the person lives. */
  residence: Residence;
  /** Such as `MR` or `MRS`, or empty. */
  title: string;
  /** Email address, or empty. */
  email: string;
  /** Occupation, or empty. */
  profession: string;
  /** Sensitive personal data. Do not store or disclose it without a lawful basis. */
  marital_status: string;
  /** Such as `EMPLOYED`, or empty. */
  employment_status: string;
  /** State of birth. */
  birth_state: string;
  /** Country of birth. */
  birth_country: string;
  /** State of origin. */
  state_of_origin: string;
  /** Local government area of origin. */
  lga_of_origin: string;
  /** The language that the person speaks. */
  nspokenlang: string;
  /** Sensitive personal data. Do not store or disclose it without a lawful basis. */
  religion: string;
  /** Always masked: every field is `****`. */
  next_of_kin: NextOfKin;
  /** A JPEG or PNG in Base64 without a data URI prefix, or empty. */
  signature: string;
  /** The tracking ID of the enrolment at NIMC. */
  tracking_id: string;
}

export interface NextOfKin {
  /** First name. */
  firstname: string;
  /** Last name. */
  lastname: string;
  /** Middle name, or empty. */
  middlename: string;
  /** The first line of the address. */
  address1: string;
  /** The second line of the address. */
  address2: string;
  /** Town or city. */
  town: string;
  /** Local government area. */
  lga: string;
  /** State of Nigeria. */
  state: string;
  /** Postal code. */
  postal_code: string;
}

export interface BvnBasicRecord {
  /** The number in the registry record. */
  bvn: string;
  /** First name. */
  firstname: string;
  /** Last name. */
  lastname: string;
  /** Middle name, or empty. */
  middlename: string;
  /** DD-MM-YYYY, or empty. */
  birthdate: string;
  /** `m` or `f`, or empty if the registry has none. */
  gender: Gender;
  /** Phone number, or empty. A Nigerian number is 0 plus ten digits. */
  phone: string;
  /** A JPEG or PNG in Base64 without a data URI prefix, or empty. */
  photo: string;
}

export interface BvnPremiumRecord {
  /** The number in the registry record. */
  bvn: string;
  /** First name. */
  firstname: string;
  /** Last name. */
  lastname: string;
  /** Middle name, or empty. */
  middlename: string;
  /** DD-MM-YYYY, or empty. */
  birthdate: string;
  /** `m` or `f`, or empty if the registry has none. */
  gender: Gender;
  /** Phone number, or empty. A Nigerian number is 0 plus ten digits. */
  phone: string;
  /** A JPEG or PNG in Base64 without a data URI prefix, or empty. */
  photo: string;
  /** Such as `MR` or `MRS`, or empty. */
  title: string;
  /** Email address, or empty. */
  email: string;
  /** Nationality, or empty. */
  nationality: string;
  /** Sensitive personal data. Do not store or disclose it without a lawful basis. */
  marital_status: string;
  /** Where the person lives. */
  residential_address: string;
  /** State of origin. */
  state_of_origin: string;
  /** Local government area of origin. */
  lga_of_origin: string;
  /** State of residence. */
  state_of_residence: string;
  /** Local government area of residence. */
  lga_of_residence: string;
  /** The name on the BVN card. */
  name_on_card: string;
  /** The number in the registry record. */
  nin: string;
  /** A second phone number, or empty. */
  phone_number2: string;
  /** DD-MM-YYYY, or empty. */
  registration_date: string;
  /** The bank where the BVN was issued. */
  enrollment_bank: string;
  /** The branch where the BVN was issued. */
  enrollment_branch: string;
  /** The level of the account, such as `Level 2`. */
  level_of_account: string;
  /** `YES` if the BVN is on a watch list, `NO` if not, or empty. */
  watch_listed: string;
}

export interface CacBasicRecord {
  /** The registered name. */
  companyName: string;
  /**
   * The registration number. In the record of a company, it starts with its type: `RC`, `BN`, `IT`, `LP` or `LLP`. For
   * an affiliate, it is as in the registry, or empty.
   */
  rcNumber: string;
  /** The status in the registry, such as `ACTIVE`. */
  status: string;
  /** DD-MM-YYYY, or empty. */
  registrationDate: string;
  /** The legal form. */
  companyType: string;
  /** Such as company, business name or incorporated trustees. */
  classification: string;
  /** The address of the head office. */
  headOfficeAddress: string;
  /** The address of a branch, or empty. */
  branchAddress: string;
  /** Town or city. */
  city: string;
  /** Local government area. */
  lga: string;
  /** State of Nigeria. */
  state: string;
  /** The company's email address, or empty. */
  companyEmail: string;
  /** What the company does, or empty. */
  natureOfBusiness: string;
  /** In naira. 0 if the registry has none. */
  shareCapital: number;
  /** The share capital as text, or empty. */
  shareCapitalInWords: string;
  /** The number of affiliates in the registry. */
  affiliates: number;
  /** The names of the directors who are natural persons. */
  directors: Director[];
}

export interface Director {
  /** Last name. */
  surname: string;
  /** First name. */
  firstname: string;
  /** Middle name, or empty. */
  otherName: string;
}

export interface CacPremiumRecord {
  /** The registered name. */
  companyName: string;
  /**
   * The registration number. In the record of a company, it starts with its type: `RC`, `BN`, `IT`, `LP` or `LLP`. For
   * an affiliate, it is as in the registry, or empty.
   */
  rcNumber: string;
  /** The status in the registry, such as `ACTIVE`. */
  status: string;
  /** DD-MM-YYYY, or empty. */
  registrationDate: string;
  /** The legal form. */
  companyType: string;
  /** Such as company, business name or incorporated trustees. */
  classification: string;
  /** The address of the head office. */
  headOfficeAddress: string;
  /** The address of a branch, or empty. */
  branchAddress: string;
  /** Town or city. */
  city: string;
  /** Local government area. */
  lga: string;
  /** State of Nigeria. */
  state: string;
  /** The company's email address, or empty. */
  companyEmail: string;
  /** What the company does, or empty. */
  natureOfBusiness: string;
  /** In naira. 0 if the registry has none. */
  shareCapital: number;
  /** The share capital as text, or empty. */
  shareCapitalInWords: string;
  /** The number of affiliates in the registry. */
  affiliates: number;
  /** The names of the directors who are natural persons. */
  directors: Director[];
  /** The affiliates: directors, shareholders, persons with significant control, and others. */
  affiliatesData: Affiliate[];
}

export interface Affiliate {
  /** Last name. */
  surname: string;
  /** First name. */
  firstname: string;
  /** Middle name, or empty. */
  otherName: string;
  /** The name of an affiliate that is a company, or empty. */
  corporationName: string;
  /**
   * The registration number. In the record of a company, it starts with its type: `RC`, `BN`, `IT`, `LP` or `LLP`. For
   * an affiliate, it is as in the registry, or empty.
   */
  rcNumber: string;
  /** Whether the affiliate is a company. */
  isCorporate: boolean;
  /** For example `DIRECTOR`, `SHAREHOLDER` or `PSC` (person with significant control). */
  affiliateType: string;
  /** Nationality, or empty. */
  nationality: string;
  /** `m` or `f`, or empty if the registry has none. */
  gender: string;
  /** Occupation, or empty. */
  occupation: string;
  /** Email address, or empty. */
  email: string;
  /** Phone number, or empty. */
  phoneNumber: string;
  /** Address, or empty. */
  address: string;
  /** Town or city. */
  city: string;
  /** State of Nigeria. */
  state: string;
  /** The status in the registry, such as `ACTIVE`. */
  status: string;
  /** DD-MM-YYYY, or empty. */
  dateOfAppointment: string;
  /** The number of allotted shares. */
  numSharesAlloted: number;
  /** Such as `ORDINARY`, or empty. */
  typeOfShares: string;
  /** Two decimals. Null if the registry has no percentage and it cannot be calculated from the allotted shares. */
  shareholdingPercentage: number | null;
  /** True if the percentage was calculated from the allotted shares. */
  shareholdingPercentageDerived: boolean;
}

export interface TinBasicRecord {
  /** The number in its canonical form. */
  tin: string;
  /**
   * The format of the number: `FIRS` (12 digits), `JTB` (10 digits), `TAX_ID` (13 digits, in force since 2026), `NIN`
   * or `RC`.
   */
  tin_format: 'FIRS' | 'JTB' | 'TAX_ID' | 'NIN' | 'RC';
  /** The name of the taxpayer. */
  name: string;
  /** The taxpayer's tax office. */
  tax_office: string;
  /** DD-MM-YYYY, or empty. */
  registration_date: string;
  /** The type of the taxpayer, such as a company or a person. */
  business_type: string;
  /** The registration number at CAC, or empty. */
  rc_number: string;
  /** Email address, or empty. */
  email: string;
  /** Phone number, or empty. A Nigerian number is 0 plus ten digits. */
  phone: string;
}

export interface NubanBasicRecord {
  /** The account number. */
  account_number: string;
  /** The name of the account holder. */
  account_name: string;
  /** The code of the bank. */
  bank_code: string;
  /** The name of the bank. */
  bank_name: string;
  /** The currency (ISO 4217), such as `NGN`. */
  currency: string;
}

/**
 * The details that the person has given you. `match` in the response says how they compare with the record. A slip says
 * that they match if they do, without showing them. The details are neither stored nor logged.
 */
export interface ClaimedDetails {
  /** At least one letter. */
  firstname?: string;
  lastname?: string;
  middlename?: string;
  /** DD-MM-YYYY or YYYY-MM-DD, from 1900 on. */
  birthdate?: string;
  gender?: 'm' | 'f' | 'male' | 'female';
  /** Local or international. */
  phone?: string;
}

export interface Match {
  /**
   * `exact` or `strong`: the details match. `partial`: a person should decide. `none`: they do not match.
   * `insufficient`: they are too few to decide.
   */
  overall: 'exact' | 'strong' | 'partial' | 'none' | 'insufficient';
  /** From 0 to 1. Rely on `overall`: the score is for sorting and statistics. */
  score: number;
  /** The version of the comparison. Store it with your decision. */
  algorithm: string;
  /** The result for each field that you sent. */
  fields: {
    firstname?: FieldMatch;
    lastname?: FieldMatch;
    middlename?: FieldMatch;
    birthdate?: FieldMatch;
    gender?: FieldMatch;
    phone?: FieldMatch;
  };
}

export interface FieldMatch {
  /** `not_in_record`: the registry has no value. `unreadable`: the value that you sent contains nothing to compare. */
  result: 'exact' | 'strong' | 'partial' | 'none' | 'not_in_record' | 'unreadable';
  /** From 0 to 1. 0 if the field was not compared. */
  score: number;
  /** Why the field differs. More reasons may be added. */
  reasons: MatchReason[];
}

/** An institution that holds accounts. A code is empty if no source publishes it. */
export interface Bank {
  name: string;
  short_name: string;
  kind:
    | 'commercial'
    | 'non_interest'
    | 'merchant'
    | 'payment_service_bank'
    | 'mobile_money'
    | 'development_finance'
    | 'mortgage'
    | 'microfinance'
    | 'finance_company';
  cbn_code: string;
  nip_code: string;
  provider_codes: Record<string, string>;
}

/** An API key, and what it may do. */
export interface Me {
  environment: Environment;
  organisation: Organisation;
  key: KeyDetails;
  /** What the key may do. A key without a list has all scopes except `wallet:pay`. */
  scopes: string[];
  limits: KeyLimits;
  services: ServiceAccess[];
}

export interface Organisation {
  id: string;
  name: string;
  status: 'PENDING' | 'APPROVED';
}

export interface KeyDetails {
  label: string;
  last_four: string;
  /** When it expires. Null if it does not. */
  expires_at: string | null;
}

export interface KeyLimits {
  /** The sustained rate of each key. */
  requests_per_second: number;
  /** How many requests of a key may arrive at once. */
  burst: number;
}

export interface ServiceAccess {
  service: ServiceName;
  /** Whether the organisation may use the service. Test keys may use all services. */
  is_enabled: boolean;
  /** What the scopes of the key permit: `full`, only requests with `match_only`, or none. */
  access: 'full' | 'match_only' | 'none';
  /** Whole credits. */
  credits: number;
}

export interface Balance {
  environment: Environment;
  /** The number of whole credits that you can spend. */
  available: number;
  /** The number of whole credits reserved for requests in progress. */
  held: number;
  /** `credits` for the balance, `NGN` for documents and orders. */
  currency: 'credits';
}

/** One charge, top-up or correction of the wallet. */
export interface Transaction {
  id: string;
  type: 'debit' | 'credit';
  /** Whole credits. Negative for a debit or a correction that reduces the balance. */
  amount: number;
  created_at: string;
  /** The balance after this entry. It includes entries that a filter leaves out. */
  balance_after: number;
  request_id: string | null;
  service: ServiceName | null;
  /** The label of the request's API key. */
  key_label: string | null;
  /**
   * In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a charge: its
   * `request_id` leads to the log.
   */
  reference: string | null;
  kind: 'CHARGE' | 'TOP_UP' | 'CORRECTION';
  reason: string | null;
}

/** One request. Contains neither the identity number nor the record. */
export interface VerificationSummary {
  request_id: string;
  service: ServiceName;
  verification_type: IdType;
  /** Only `FOUND` is charged. */
  outcome: Outcome;
  /** The HTTP status of the response. */
  http_status: number;
  credits_charged: number;
  /** True for a free replay under an Idempotency-Key. */
  is_replay: boolean;
  /**
   * For a free replay, the ID of the charged request, which is the `request_id` of the line in the statement. Otherwise
   * null.
   */
  replay_of: string | null;
  provider: string;
  /** The label of the request's API key. */
  key_label: string;
  /** Milliseconds from the request to its outcome. */
  latency_ms: number;
  requested_at: string;
  /**
   * In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a charge: its
   * `request_id` leads to the log.
   */
  reference: string | null;
}

export interface LogEntry {
  environment: Environment;
  request_id: string;
  service: ServiceName;
  verification_type: IdType;
  /** Only `FOUND` is charged. */
  outcome: Outcome;
  /** The HTTP status of the response. */
  http_status: number;
  credits_charged: number;
  /** True for a free replay under an Idempotency-Key. */
  is_replay: boolean;
  /**
   * For a free replay, the ID of the charged request, which is the `request_id` of the line in the statement. Otherwise
   * null.
   */
  replay_of: string | null;
  provider: string;
  /** The label of the request's API key. */
  key_label: string;
  /** Milliseconds from the request to its outcome. */
  latency_ms: number;
  requested_at: string;
  /**
   * In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a charge: its
   * `request_id` leads to the log.
   */
  reference: string | null;
  consent: string | null;
  reason: string | null;
}

/** What became of the requests to one route with an Idempotency-Key. */
export interface KeyUse {
  /** The name of the route, for example `nin-basic`, or `verify-identity` for the unified gateway. */
  route:
    | 'nin-basic'
    | 'nin-premium'
    | 'bvn-basic'
    | 'bvn-premium'
    | 'cac-basic'
    | 'cac-premium'
    | 'tin-basic'
    | 'nuban-basic'
    | 'nin-slip'
    | 'verify-identity';
  /**
   * Whether a request with the key was charged. `in_progress`: it may still be charged. Every request is decided within
   * 3 minutes.
   */
  key_state: 'charged' | 'not_charged' | 'in_progress';
  request_id: string;
  requested_at: string;
  credits_charged: number;
  /** How many free replays the key has left. */
  replays_left: number;
}

/** The requests that were rejected with one key and one code within a minute. */
export interface RejectedRequests {
  /** The start of the minute. */
  minute: string;
  code: string;
  /** The HTTP status of the response. */
  http_status: number;
  /** How many requests were rejected. An estimate, because most are counted in batches. */
  count: number;
  /** The name of the route, for example `nin-basic`, or `verify-identity` for the unified gateway. */
  route: string;
  /** The label of the request's API key. */
  key_label: string;
  request_id: string;
}

/** Credits that were added to the wallet together. */
export interface Lot {
  id: string;
  kind: 'paid' | 'promotional' | 'refund' | 'correction';
  /** Whole credits. */
  credits: number;
  /** The credits of the lot that are left. An estimate until the month is closed. */
  remaining: number;
  /** The price without VAT, in whole kobo. 0 if the credits were not paid for. */
  kobo_per_credit: number;
  net_kobo: number;
  vat_kobo: number;
  /**
   * In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a charge: its
   * `request_id` leads to the log.
   */
  reference: string;
  /** The number of the invoice, or null. */
  invoice: string | null;
  created_at: string;
  /** When it expires. Null if it does not. */
  expires_at: string | null;
}

/** An invoice, receipt, credit note or monthly statement. */
export interface InvoiceSummary {
  number: string;
  kind: DocumentKind;
  issued_at: string;
  /** The accounting month in Africa/Lagos, `yyyy-mm`. */
  month: string;
  /** `credits` for the balance, `NGN` for documents and orders. */
  currency: 'NGN';
  net_kobo: number;
  vat_kobo: number;
  /** With VAT, in whole kobo. */
  total_kobo: number;
  /** The reference of the order, or null. */
  top_up: string | null;
  /** The number of the invoice, or null. */
  invoice: string | null;
}

export interface Invoice {
  environment: Environment;
  number: string;
  kind: DocumentKind;
  issued_at: string;
  /** The accounting month in Africa/Lagos, `yyyy-mm`. */
  month: string;
  /** `credits` for the balance, `NGN` for documents and orders. */
  currency: 'NGN';
  net_kobo: number;
  vat_kobo: number;
  /** With VAT, in whole kobo. */
  total_kobo: number;
  /** The reference of the order, or null. */
  top_up: string | null;
  /** The number of the invoice, or null. */
  invoice: string | null;
  seller: Party;
  buyer: Party;
  lines: InvoiceLine[];
  total_in_words: string;
  /** Absent if the document is not about a payment. */
  payment?: InvoicePayment;
  reason: string | null;
  /** Only on monthly statements. */
  statement?: Statement;
  /** The SHA-256 hash of the content in hexadecimal. The PDF shows its first 16 characters. */
  content_sha256: string;
}

export interface Party {
  name: string;
  address: string[];
  tax_number: string;
  email: string;
}

export interface InvoiceLine {
  description: string;
  quantity: number;
  /** The price without VAT, in whole kobo. */
  unit_kobo: number;
  net_kobo: number;
  /** The rate of VAT in hundredths of a percent: 750 is 7.5%. */
  vat_basis_points: number;
  vat_kobo: number;
  /** With VAT, in whole kobo. */
  total_kobo: number;
}

export interface InvoicePayment {
  method: 'PAYSTACK' | 'TRANSFER' | null;
  paid_at: string;
  channel: string;
  /**
   * In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a charge: its
   * `request_id` leads to the log.
   */
  reference: string;
}

export interface Statement {
  opening_credits: number;
  bought_credits: number;
  other_credits: number;
  used_credits: number;
  closing_credits: number;
  services: {
    service: string;
    requests: number;
    /** Whole credits. */
    credits: number;
  }[];
}

/** An order for credits. */
export interface TopUp {
  environment: Environment;
  /**
   * In the log, your reference, or null. Elsewhere, that of the credit, payment or order, and null for a charge: its
   * `request_id` leads to the log.
   */
  reference: string;
  /**
   * The state of an order. `OPENED`: the payment has not arrived. `CREDITED`: the credits are in the wallet.
   * `MISMATCH`: the payment differs from the order or came too late for its price, and the operator decides.
   */
  state: 'OPENED' | 'PAID' | 'CREDITED' | 'FAILED' | 'EXPIRED' | 'MISMATCH' | 'REFUNDED';
  /** Whole credits. */
  credits: number;
  /** The price without VAT, in whole kobo. 0 if the credits were not paid for. */
  kobo_per_credit: number;
  net_kobo: number;
  vat_kobo: number;
  /** With VAT, in whole kobo. */
  total_kobo: number;
  /** `credits` for the balance, `NGN` for documents and orders. */
  currency: 'NGN';
  /** The page where the order is paid, or null. */
  checkout_url: string | null;
  opened_at: string;
  /** When it expires. Null if it does not. */
  expires_at: string;
  credited_at: string | null;
  /** The number of the invoice, or null. */
  invoice: string | null;
  receipt: string | null;
}

/** The field `data` of each event. Events contain no identity numbers and no names of people. */
export interface WebhookData {
  /** The balance of the live wallet falls below your threshold. */
  'balance.low': {
    /** Whole credits, without held ones. */
    available: number;
    /** Your threshold in whole credits. */
    low_below: number;
    /** Of the events of a wallet, a later one has a higher number. */
    sequence: number;
  };
  /** The live wallet has no credits left. */
  'wallet.empty': {
    /** Whole credits, without held ones. */
    available: number;
    /** Your threshold in whole credits. */
    low_below: number;
    /** Of the events of a wallet, a later one has a higher number. */
    sequence: number;
  };
  /** The credits of a paid top-up are in the wallet. */
  'top_up.credited': {
    reference: string;
    /** Whole credits. */
    credits: number;
    invoice: string;
    /** Whole credits, without held ones. */
    available: number;
    /** Of the events of a wallet, a later one has a higher number. */
    sequence: number;
  };
  /**
   * An active API key that no rotation has replaced expires within 30 days. The event is sent again 7 days before the
   * expiry.
   */
  'key.expiring': {
    label: string;
    last_four: string;
    /** When the key expires. ISO 8601 in UTC. */
    not_after: string;
    days_left: number;
  };
  /** Look-ups of an enabled service fail because no provider is available. */
  'registry.down': {
    id_type: IdType;
  };
  /** Look-ups of an enabled service work again. */
  'registry.up': {
    id_type: IdType;
  };
  /** Your organisation is approved for live access. */
  'organisation.approved': {
    organisation: string;
  };
  /** A member sends it to one endpoint, whichever events it receives. */
  test: {
    message: string;
  };
}
