/**
 * The data of the API, with the API's own field names. A field of a record is never missing: if the registry has no
 * value for a string, the string is empty. A test compares these types with the API document.
 */

export type Environment = 'live' | 'test';
export type Gender = 'm' | 'f' | '';

export interface Residence {
  address1: string;
  town: string;
  lga: string;
  state: string;
}

export interface NinBasicRecord {
  nin: string;
  firstname: string;
  lastname: string;
  middlename: string;
  /** Phone number, or empty. A Nigerian number consists of 0 and ten more digits. */
  phone: string;
  gender: Gender;
  /** DD-MM-YYYY, or empty. */
  birthdate: string;
  /** A JPEG or PNG in Base64, or empty. The reference image for a face comparison. */
  photo: string;
  residence: Residence;
}

/** Every field is `****`. */
export interface NextOfKin {
  firstname: string;
  lastname: string;
  middlename: string;
  address1: string;
  address2: string;
  town: string;
  lga: string;
  state: string;
  postal_code: string;
}

export interface NinPremiumRecord extends NinBasicRecord {
  title: string;
  email: string;
  profession: string;
  /** Sensitive personal data. */
  marital_status: string;
  employment_status: string;
  birth_state: string;
  birth_country: string;
  state_of_origin: string;
  lga_of_origin: string;
  nspokenlang: string;
  /** Sensitive personal data. */
  religion: string;
  next_of_kin: NextOfKin;
  /** A JPEG or PNG in Base64, or empty. */
  signature: string;
  tracking_id: string;
}

export interface BvnBasicRecord {
  bvn: string;
  firstname: string;
  lastname: string;
  middlename: string;
  /** DD-MM-YYYY, or empty. */
  birthdate: string;
  gender: Gender;
  /** Phone number, or empty. A Nigerian number consists of 0 and ten more digits. */
  phone: string;
  /** A JPEG or PNG in Base64, or empty. The reference image for a face comparison. */
  photo: string;
}

export interface BvnPremiumRecord extends BvnBasicRecord {
  title: string;
  email: string;
  nationality: string;
  /** Sensitive personal data. */
  marital_status: string;
  residential_address: string;
  state_of_origin: string;
  lga_of_origin: string;
  state_of_residence: string;
  lga_of_residence: string;
  name_on_card: string;
  nin: string;
  phone_number2: string;
  /** DD-MM-YYYY, or empty. */
  registration_date: string;
  enrollment_bank: string;
  enrollment_branch: string;
  level_of_account: string;
  watch_listed: string;
}

export interface Director {
  surname: string;
  firstname: string;
  otherName: string;
}

export interface CacBasicRecord {
  companyName: string;
  /** Starts with its type: RC, BN, IT, LP or LLP. */
  rcNumber: string;
  status: string;
  /** DD-MM-YYYY, or empty. */
  registrationDate: string;
  companyType: string;
  classification: string;
  headOfficeAddress: string;
  branchAddress: string;
  city: string;
  lga: string;
  state: string;
  companyEmail: string;
  natureOfBusiness: string;
  shareCapital: number;
  shareCapitalInWords: string;
  /** The number of affiliates in the registry. */
  affiliates: number;
  directors: Director[];
}

export interface Affiliate {
  surname: string;
  firstname: string;
  otherName: string;
  corporationName: string;
  rcNumber: string;
  isCorporate: boolean;
  /** For example `DIRECTOR`, `SHAREHOLDER` or `PSC` (person with significant control). */
  affiliateType: string;
  nationality: string;
  gender: string;
  occupation: string;
  email: string;
  phoneNumber: string;
  address: string;
  city: string;
  state: string;
  status: string;
  dateOfAppointment: string;
  numSharesAlloted: number;
  typeOfShares: string;
  /** Two decimals. Null if neither the registry nor the allotted shares show it. */
  shareholdingPercentage: number | null;
  /** True if the percentage was calculated from the allotted shares. */
  shareholdingPercentageDerived: boolean;
}

export interface CacPremiumRecord extends CacBasicRecord {
  affiliatesData: Affiliate[];
}

export interface TinBasicRecord {
  tin: string;
  /**
   * FIRS has 12 digits, JTB has 10, and TAX_ID (in force since 1 January 2026) has 13. NIN and RC: the NIN of a person
   * or the RC number of a company, which are Tax IDs too.
   */
  tin_format: 'FIRS' | 'JTB' | 'TAX_ID' | 'NIN' | 'RC';
  name: string;
  tax_office: string;
  /** DD-MM-YYYY, or empty. */
  registration_date: string;
  business_type: string;
  rc_number: string;
  email: string;
  phone: string;
}

export interface NubanBasicRecord {
  account_number: string;
  account_name: string;
  bank_code: string;
  bank_name: string;
  currency: string;
}

/** The Basic record of each ID type. */
export interface BasicRecords {
  NIN: NinBasicRecord;
  BVN: BvnBasicRecord;
  CAC: CacBasicRecord;
  TIN: TinBasicRecord;
  NUBAN: NubanBasicRecord;
}

/** The complete record of each ID type that has one. */
export interface PremiumRecords {
  NIN: NinPremiumRecord;
  BVN: BvnPremiumRecord;
  CAC: CacPremiumRecord;
}

/** With `matchOnly`, `data` contains only the number. */
export interface NumberRecords {
  NIN: { nin: string };
  BVN: { bvn: string };
}

/** The ID types of people. Only their records can be matched. */
export type PersonIdType = keyof NumberRecords;

/** The details that a person has given you. At least one is required. The API neither stores nor logs them. */
export interface ClaimedDetails {
  firstname?: string;
  lastname?: string;
  middlename?: string;
  /**
   * DD-MM-YYYY, DD/MM/YYYY or YYYY-MM-DD. Of a Date at midnight UTC, the date in UTC counts, and otherwise that of this
   * machine's time zone.
   */
  birthdate?: string | Date;
  gender?: 'm' | 'f' | 'male' | 'female' | 'M' | 'F' | 'Male' | 'Female';
  phone?: string;
}

/** How claimed details compare with the record. */
export interface Match {
  /** Base your decision on this: `exact` and `strong` are a match. Let a person decide on `partial`. */
  overall: 'exact' | 'strong' | 'partial' | 'none' | 'insufficient';
  /** From 0 to 1. */
  score: number;
  /** The version of the comparison. */
  algorithm: string;
  /** The result for each field that was sent. */
  fields: { [field in keyof ClaimedDetails]?: FieldMatch };
}

export interface FieldMatch {
  result: 'exact' | 'strong' | 'partial' | 'none' | 'not_in_record' | 'unreadable';
  /** From 0 to 1. */
  score: number;
  reasons: MatchReason[];
}

/** Why a field differs. More reasons may be added. */
export type MatchReason =
  | 'ORDER_SWAPPED'
  | 'TONE_MARKS'
  | 'INITIAL'
  | 'SHORT_FORM'
  | 'SURNAME_CHANGED'
  | 'SPELLING_VARIANT'
  | 'COMPOUND_SPLIT'
  | 'DAY_MONTH_SWAPPED'
  | 'DEFAULT_DATE'
  | 'COUNTRY_CODE'
  | 'FIRST_NAME_ABSENT'
  | 'GENERATION_DIFFERS'
  | 'TITLE_DIFFERS'
  | 'OTHER_NAME'
  | 'AMBIGUOUS_SHORT_FORM';

export type IdType = keyof BasicRecords;
export type PremiumIdType = keyof PremiumRecords;
export type CompanyType = 'RC' | 'BN' | 'IT' | 'LP' | 'LLP';
export type SlipType = 'regular' | 'improved' | 'premium';

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
  organisation: { id: string; name: string; status: 'PENDING' | 'APPROVED' };
  key: { label: string; last_four: string; expires_at: string | null };
  scopes: string[];
  limits: { requests_per_second: number; burst: number };
  services: {
    service: ServiceName;
    /** Whether the organisation may use it. */
    is_enabled: boolean;
    /** What the key's scopes permit: with `match_only`, only calls with `matchOnly`. */
    access: 'full' | 'match_only' | 'none';
    /** The price. */
    credits: number;
  }[];
}

export interface Balance {
  environment: Environment;
  /** The credits that you can spend. */
  available: number;
  /** The credits reserved for calls in progress. */
  held: number;
  currency: 'credits';
}

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

/** One charge, top-up or correction of the wallet, in credits. */
export interface Transaction {
  id: string;
  type: 'debit' | 'credit';
  /** Negative for a charge, or a correction that reduces the balance. */
  amount: number;
  /** UTC, ISO 8601. */
  created_at: string;
  balance_after: number;
  /** Debits: the request that was charged. */
  request_id: string | null;
  service: ServiceName | null;
  key_label: string | null;
  /** Credits: the reference of the top-up or correction. Debits: your own reference. */
  reference: string | null;
  kind: 'CHARGE' | 'TOP_UP' | 'CORRECTION';
  reason: string | null;
}

export type Outcome =
  | 'FOUND'
  | 'NOT_FOUND'
  | 'FAILED'
  | 'UNREACHABLE'
  | 'TIMEOUT'
  | 'ERROR'
  | 'ABANDONED'
  | 'REFUSED';

/** One request in the list of requests. It contains neither the identity number nor the record. */
export interface VerificationSummary {
  request_id: string;
  service: ServiceName;
  verification_type: IdType;
  /** Only `FOUND` is charged. */
  outcome: Outcome;
  http_status: number;
  credits_charged: number;
  /** True for a free replay under an idempotency key. */
  is_replay: boolean;
  /** For a free replay, the ID of the charged request. */
  replay_of: string | null;
  provider: string;
  key_label: string;
  latency_ms: number;
  /** UTC, ISO 8601. */
  requested_at: string;
  /** The reference that you sent. */
  reference: string | null;
}

/** What became of the calls of one route with an idempotency key. */
export interface KeyUse {
  /** Such as `nin-basic`, or `verify-identity` for the unified gateway. */
  route: ServiceName | 'verify-identity';
  key_state: 'charged' | 'not_charged' | 'in_progress';
  /** The charged request, or the latest one. */
  request_id: string;
  requested_at: string;
  credits_charged: number;
  /** How many free replays are left. */
  replays_left: number;
}

/** The log entry of one request. */
export interface LogEntry extends VerificationSummary {
  environment: Environment;
  consent: string | null;
  reason: string | null;
}

/** The requests with one key that were rejected with one code in one minute. */
export interface RejectedRequests {
  /** The start of the minute: UTC, ISO 8601. */
  minute: string;
  code: string;
  http_status: number;
  /** An estimate. */
  count: number;
  /**
   * The route of the request that `request_id` identifies: the name of the service, or for example `verify-identity`
   * for the unified gateway.
   */
  route: string;
  key_label: string;
  /** The ID of one of the requests, as an example. */
  request_id: string;
}

/** Credits that were added to the wallet together. Amounts of money are in kobo. Times are UTC in ISO 8601. */
export interface Lot {
  id: string;
  kind: 'paid' | 'promotional' | 'refund' | 'correction';
  credits: number;
  /** An estimate: only the closing of the month determines which charge used which lot. */
  remaining: number;
  /** Without VAT. 0 if the credits were not paid for. */
  kobo_per_credit: number;
  net_kobo: number;
  vat_kobo: number;
  /** The reference of the credit in the list of transactions. */
  reference: string;
  /** The number of the invoice. */
  invoice: string | null;
  created_at: string;
  expires_at: string | null;
}

export type DocumentKind = 'INVOICE' | 'RECEIPT' | 'CREDIT_NOTE' | 'STATEMENT';

/** An invoice, receipt, credit note or monthly statement. Amounts are in kobo. */
export interface InvoiceSummary {
  number: string;
  kind: DocumentKind;
  /** UTC, ISO 8601. */
  issued_at: string;
  /** The accounting month in Africa/Lagos: `yyyy-mm`. */
  month: string;
  currency: 'NGN';
  net_kobo: number;
  vat_kobo: number;
  total_kobo: number;
  /** The reference of the order. */
  top_up: string | null;
  /** The number of the invoice that a receipt or a credit note belongs to. */
  invoice: string | null;
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
  unit_kobo: number;
  net_kobo: number;
  /** The rate of VAT in hundredths of a percent: 750 is 7.5%. */
  vat_basis_points: number;
  vat_kobo: number;
  total_kobo: number;
}

export interface InvoicePayment {
  method: 'PAYSTACK' | 'TRANSFER' | null;
  paid_at: string;
  channel: string;
  reference: string;
}

/** What happened to the credits of a wallet in a month. */
export interface Statement {
  opening_credits: number;
  bought_credits: number;
  other_credits: number;
  used_credits: number;
  closing_credits: number;
  services: { service: string; requests: number; credits: number }[];
}

/** A whole document. */
export interface Invoice extends InvoiceSummary {
  environment: Environment;
  seller: Party;
  buyer: Party;
  lines: InvoiceLine[];
  total_in_words: string;
  /** Absent if the document is not about a payment. */
  payment?: InvoicePayment;
  /** Why a credit note was issued. */
  reason: string | null;
  /** On monthly statements only. */
  statement?: Statement;
  /** The PDF shows its first characters. */
  content_sha256: string;
}

/** An order for credits. Amounts of money are in kobo. Times are UTC in ISO 8601. */
export interface TopUp {
  environment: Environment;
  reference: string;
  state: 'OPENED' | 'PAID' | 'CREDITED' | 'FAILED' | 'EXPIRED' | 'MISMATCH' | 'REFUNDED';
  credits: number;
  kobo_per_credit: number;
  net_kobo: number;
  vat_kobo: number;
  total_kobo: number;
  currency: 'NGN';
  /** The page on which the order is paid. */
  checkout_url: string | null;
  opened_at: string;
  expires_at: string;
  credited_at: string | null;
  /** The number of the invoice. */
  invoice: string | null;
  receipt: string | null;
}
