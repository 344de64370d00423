import {
  type AskedRecord,
  foreign,
  hasFileName,
  hasKey,
  isPageOf,
  isRecordOf,
  isSlipOf,
} from './belonging.ts';
import {
  checkBankCode,
  checkedApiKey,
  checkedBaseUrl,
  checkedHeaders,
  checkedNumber,
  checkIdempotencyKey,
  checkNumber,
  checkOneOf,
  checkOptions,
  checkPathPart,
  checkRequestId,
  ID_TYPES,
  PREMIUM_ID_TYPES,
  SLIP_TYPES,
} from './checks.ts';
import { claimedDetails } from './claimed-details.ts';
import { observeConnectionsOnce } from './failed-connection.ts';
import type {
  Balance,
  Bank,
  BasicRecords,
  ClaimedDetails,
  CompanyType,
  DocumentKind,
  IdType,
  Invoice,
  InvoiceSummary,
  KeyUse,
  LogEntry,
  Lot,
  Me,
  NumberRecords,
  Outcome,
  PersonIdType,
  PremiumIdType,
  PremiumRecords,
  RejectedRequests,
  ServiceName,
  SlipType,
  TopUp,
  Transaction,
  VerificationSummary,
} from './records.ts';
import {
  type Bytes,
  isPdfResponse,
  type Json,
  type RateLimit,
  rateLimitOf,
  readJson,
  readPdf,
  type Success,
  textOf,
} from './responses.ts';
import { callWithRetries } from './retry.ts';
import { readSlipStream } from './slip-stream.ts';
import { type Attempt, type Fetch, send, type Transport } from './transport.ts';
import { Verification } from './verification.ts';
import { VERSION } from './version.ts';

export interface IdentityClientOptions {
  /** Default: the environment variable NG_IDENTITY_API_KEY. */
  apiKey?: string | undefined;
  /** Default: the environment variable NG_IDENTITY_BASE_URL. Must be https, or http to this machine. */
  baseUrl?: string | undefined;
  /** Limits a whole call, with all its attempts and waits. Default: 30,000. */
  timeoutMs?: number | undefined;
  /**
   * The maximum number of retries of a call, not counting those while another call with the same idempotency key is in
   * progress. 0: no call is retried. A retry never charges twice. Default: 2.
   */
  maxRetries?: number | undefined;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: Fetch | undefined;
  /** Headers for every request, for example for your tracing. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface CallOptions {
  /**
   * Aborts the call, which then rejects with an error of the kind `aborted`. Unless the call only reads, repeat it with
   * the error's `idempotencyKey`.
   */
  signal?: AbortSignal | undefined;
  /** Default: the client's. */
  timeoutMs?: number | undefined;
}

/** The options of every call that costs credits. */
export interface PaidCallOptions extends CallOptions {
  /**
   * 8 to 255 printable ASCII characters, without the number that is verified. Default: a new key for each call. Pass
   * the key of an earlier call to get its data without a second charge.
   */
  idempotencyKey?: string | undefined;
  /** Your own identifier for the call, by which `verifications` finds it. Up to 100 characters. */
  reference?: string | undefined;
  /** Your reference to the person's consent. Up to 200 characters, stored with the log entry. */
  consent?: string | undefined;
  /** The reason for the look-up. Up to 200 characters, stored with the log entry. */
  reason?: string | undefined;
}

export interface CompanyOptions {
  /** The type of a CAC number that consists of digits only. */
  companyType?: CompanyType | undefined;
}

export interface AccountOptions {
  /** A code that `banks()` returns. Live keys normally require it. */
  bankCode?: string | undefined;
}

export interface MatchOptions {
  /** The details that the person has given you, which the API compares with the record. NIN and BVN only. */
  match?: ClaimedDetails | undefined;
  /** If true, `data` contains only the number. Requires `match`. */
  matchOnly?: boolean | undefined;
}

/** The options of calls that return a slip. */
export interface SlipOptions extends PaidCallOptions {
  /** The details that the person has given you. If they match the record, the slip says "Details confirmed". */
  match?: ClaimedDetails | undefined;
}

/** With these options, a call returns the result of the match, and no record. */
type MatchOnly = { match: ClaimedDetails; matchOnly: true };
type WithRecord = { matchOnly?: false | undefined };

/** The options of `verify` for one ID type. */
export type VerifyOptions<T extends IdType> = PaidCallOptions &
  (T extends PersonIdType ? MatchOptions : unknown) &
  (T extends 'CAC' ? CompanyOptions : unknown) &
  (T extends 'NUBAN' ? AccountOptions : unknown);

/** `advance: true` returns the complete record. */
type Advance<A> = { advance: A };

/** The options of `verifyGateway` for one ID type. */
export type GatewayOptions<T extends IdType = IdType, L extends Level = Level> = VerifyOptions<T> & {
  /** `advanced` returns the complete record. NIN, BVN and CAC only. Default: `basic`. */
  level?: L | undefined;
  /** `biometric` (NIN and BVN at level `advanced`) fails unless the record has a usable photo. Default: `identity`. */
  method?: 'identity' | 'biometric' | undefined;
};

type Level = 'basic' | 'advanced';

/** The options of calls that list entries within a range of time. */
export interface ListOptions extends PageOptions {
  /** The start of the range: a Date, or a string in UTC. */
  from?: Date | string | undefined;
  /** The end of the range, which is not part of it. Default: now. */
  to?: Date | string | undefined;
}

export interface TransactionsOptions extends ListOptions {
  type?: 'debit' | 'credit' | undefined;
}

export interface VerificationsOptions extends ListOptions {
  /** Only requests with exactly this reference. */
  reference?: string | undefined;
  /** Only requests to this service. */
  service?: ServiceName | undefined;
  /** Only requests with this outcome. */
  outcome?: Outcome | undefined;
  /** Only requests with this key, of the last 30 days. Not together with another filter, a range or `pageSize`. */
  idempotencyKey?: string | undefined;
}

export interface PageOptions extends CallOptions {
  /** How many entries each request fetches: 1 to 100. */
  pageSize?: number | undefined;
}

export interface InvoicesOptions extends PageOptions {
  /** Only documents of this kind. */
  kind?: DocumentKind | undefined;
}

export interface TopUpOptions extends CallOptions {
  /** Your https page to which the buyer returns after the payment. */
  returnUrl?: string | undefined;
  /** Repeating the call with the same key returns the same order. Default: a new key for each call. */
  idempotencyKey?: string | undefined;
}

const CALL_OPTIONS = ['signal', 'timeoutMs'];
const PAID_CALL_OPTIONS = ['idempotencyKey', 'reference', 'consent', 'reason', ...CALL_OPTIONS];

const LONGEST_TIMEOUT_MS = 86_400_000;

/**
 * A client of the identity verification API. Create one and share it. A failed call rejects with an `IdentityError`. So
 * does a call with a malformed number, and the constructor throws one without a usable API key. Any other invalid input
 * causes a TypeError before any request.
 */
export class IdentityClient {
  // Private fields appear in no log, error or JSON.
  readonly #transport: Transport;
  readonly #timeoutMs: number;
  readonly #maxRetries: number;
  #rateLimit: RateLimit | undefined;

  constructor(options: IdentityClientOptions = {}) {
    checkOptions(options, 'apiKey', 'baseUrl', 'timeoutMs', 'maxRetries', 'fetch', 'headers');
    const { apiKey, baseUrl, timeoutMs = 30_000, maxRetries = 2, headers = {} } = options;
    if (options.fetch && typeof options.fetch !== 'function')
      throw new TypeError('fetch must be a function.');
    this.#timeoutMs = checkedTimeout(timeoutMs);
    this.#maxRetries = checkedNumber('maxRetries', maxRetries, 0, 100);
    this.#transport = {
      apiKey: checkedApiKey(apiKey ?? environment('NG_IDENTITY_API_KEY')),
      baseUrl: checkedBaseUrl(baseUrl ?? environment('NG_IDENTITY_BASE_URL')),
      headers: new Headers({ ...checkedHeaders(headers), 'User-Agent': `ng-identity/${VERSION} typescript` }),
      // Some platforms require `fetch` to be called on the global object.
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      isFetchSupplied: options.fetch !== undefined,
      onResponse: (response) => {
        this.#rateLimit = rateLimitOf(response) ?? this.#rateLimit;
      },
    };
    observeConnectionsOnce();
  }

  /** The rate limit of the API key, as the last response said. */
  get rateLimit(): RateLimit | undefined {
    return this.#rateLimit;
  }

  /**
   * Verifies a number. Costs one credit if a record is found, and nothing otherwise. `advance: true` returns the
   * complete record (NIN, BVN and CAC). `match` compares the details of a person with the record (NIN and BVN).
   */
  verify<T extends PersonIdType>(
    idType: T,
    idNumber: string,
    options: VerifyOptions<T> & MatchOnly & Partial<Advance<boolean | undefined>>,
  ): Promise<Verification<NumberRecords[T]>>;
  verify<T extends PremiumIdType>(
    idType: T,
    idNumber: string,
    options: VerifyOptions<T> & WithRecord & Advance<true>,
  ): Promise<Verification<PremiumRecords[T]>>;
  verify<T extends PremiumIdType>(
    idType: T,
    idNumber: string,
    options: VerifyOptions<T> & WithRecord & Advance<boolean>,
  ): Promise<Verification<BasicRecords[T] | PremiumRecords[T]>>;
  verify<T extends IdType>(
    idType: T,
    idNumber: string,
    options?: VerifyOptions<T> & WithRecord & Partial<Advance<false | undefined>>,
  ): Promise<Verification<BasicRecords[T]>>;
  async verify(
    idType: IdType,
    idNumber: string,
    options: PaidCallOptions &
      CompanyOptions &
      AccountOptions &
      MatchOptions &
      Partial<Advance<boolean | undefined>> = {},
  ): Promise<Verification<unknown>> {
    checkOptions(options, 'advance', 'match', 'matchOnly', 'bankCode', 'companyType', ...PAID_CALL_OPTIONS);
    const { advance = false, companyType, bankCode } = options;
    checkOneOf('idType', idType, advance ? PREMIUM_ID_TYPES : ID_TYPES);
    checkNumber(idType, idNumber, companyType);
    checkBankCode(idType, bankCode);
    const path = `/api/v1/ng/${idType.toLowerCase()}-${advance ? 'premium' : 'basic'}/`;
    const number = { id_number: idNumber, company_type: companyType, bank_code: bankCode };
    const asked = {
      idType,
      idNumber,
      companyType,
      bankCode,
      isPremium: advance,
      needsKey: hasMatch(options),
    };
    return this.#verify(asked, path, { ...number, ...matchOf(options) }, options);
  }

  /** Verifies a number through the unified gateway. */
  verifyGateway<T extends PersonIdType>(
    idType: T,
    idNumber: string,
    options: GatewayOptions<T> & MatchOnly,
  ): Promise<Verification<NumberRecords[T]>>;
  verifyGateway<T extends PremiumIdType>(
    idType: T,
    idNumber: string,
    options: GatewayOptions<T, 'advanced'> & WithRecord & { level: 'advanced' },
  ): Promise<Verification<PremiumRecords[T]>>;
  verifyGateway<T extends IdType>(
    idType: T,
    idNumber: string,
    options?: GatewayOptions<T, 'basic'> & WithRecord,
  ): Promise<Verification<BasicRecords[T]>>;
  async verifyGateway(
    idType: IdType,
    idNumber: string,
    options: PaidCallOptions &
      CompanyOptions &
      AccountOptions &
      MatchOptions & { level?: Level | undefined; method?: 'identity' | 'biometric' | undefined } = {},
  ): Promise<Verification<unknown>> {
    const own = ['level', 'method', 'match', 'matchOnly', 'bankCode', 'companyType'];
    checkOptions(options, ...own, ...PAID_CALL_OPTIONS);
    const { level = 'basic', method = 'identity', companyType, bankCode } = options;
    const isPremium = level === 'advanced';
    checkOneOf('level', level, ['basic', 'advanced']);
    checkOneOf('idType', idType, isPremium ? PREMIUM_ID_TYPES : ID_TYPES);
    checkOneOf('method', method, ['identity', 'biometric']);
    if (method === 'biometric' && (!isPremium || idType === 'CAC'))
      throw new TypeError("method 'biometric' is available for NIN and BVN at level 'advanced' only.");
    checkNumber(idType, idNumber, companyType);
    checkBankCode(idType, bankCode);
    const params = { id_number: idNumber, company_type: companyType, bank_code: bankCode };
    const body = { country: 'NG', id_type: idType, method, level, params, ...matchOf(options) };
    const needsKey = hasMatch(options) || method === 'biometric';
    const asked = { idType, idNumber, companyType, bankCode, isPremium, needsKey };
    return this.#verify(asked, '/api/v1/identities/verify/', body, options);
  }

  /** Returns the PDF slip of a NIN that your organisation has verified before. Costs one credit. */
  async downloadSlip(nin: string, slipType: SlipType, options: SlipOptions = {}): Promise<Bytes> {
    return this.#slip(nin, slipType, options, (response) => readPdf(response, true));
  }

  /**
   * The same as `downloadSlip`, as a stream. Retries and `timeoutMs` apply until the first bytes arrive. If the
   * connection breaks after that, the stream fails with an IdentityError: repeat the call with its `idempotencyKey`.
   */
  async slipStream(
    nin: string,
    slipType: SlipType,
    options: SlipOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#slip(nin, slipType, options, (response, idempotencyKey) =>
      readSlipStream(response, idempotencyKey, options.signal),
    );
  }

  /** Returns what the API key may do, with its organisation and its limits. Free. */
  async me(options: CallOptions = {}): Promise<Me> {
    const data = await this.#get('/api/v1/me/', 'ME', options, ({ key }) => key !== undefined);
    return data as unknown as Me;
  }

  /** Returns the banks whose accounts can be verified, with the codes that `bankCode` accepts. Free. */
  async banks(options: CallOptions = {}): Promise<Bank[]> {
    const data = await this.#get('/api/v1/banks/', 'BANKS', options, ({ banks }) => Array.isArray(banks));
    return data['banks'] as Bank[];
  }

  /** Returns the balance of the wallet that the API key uses. Free. */
  async balance(options: CallOptions = {}): Promise<Balance> {
    const isComplete = (data: Json) => 'available' in data;
    const data = await this.#get('/api/v1/wallet/balance/', 'WALLET_BALANCE', options, isComplete);
    return data as unknown as Balance;
  }

  /**
   * Iterates over the charges and credits of the wallet, oldest first, and fetches pages as needed. Without `from`, the
   * list starts on the first day of the month of `to`. Free.
   */
  transactions(options: TransactionsOptions = {}): AsyncGenerator<Transaction, void, undefined> {
    const { type } = options;
    if (type !== undefined) checkOneOf('type', type, ['debit', 'credit']);
    return this.#entries('/api/v1/wallet/transactions/', 'transactions', { type }, options);
  }

  /**
   * Iterates over the requests of your organisation in this environment, newest first, and fetches pages as needed. A
   * request appears a moment after its response. Free.
   */
  verifications(options: VerificationsOptions = {}): AsyncGenerator<VerificationSummary, void, undefined> {
    const { idempotencyKey: key, ...others } = options;
    const { reference, service, outcome } = others;
    const path = '/api/v1/verifications/';
    if (key === undefined)
      return this.#entries(path, 'verifications', { reference, service, outcome }, others);
    checkIdempotencyKey(key);
    // Together with the key, the API accepts no other parameter.
    checkOptions(others, ...CALL_OPTIONS);
    return this.#pages(path, 'verifications', { idempotency_key: key }, {}, others);
  }

  /** Returns whether a call with this idempotency key was charged, for each route that received it. Free. */
  async keyUses(idempotencyKey: string, options: CallOptions = {}): Promise<KeyUse[]> {
    checkIdempotencyKey(idempotencyKey);
    const path = `/api/v1/verifications/${queryText({ idempotency_key: idempotencyKey })}`;
    const isOwn = ({ key_uses }: Json) => Array.isArray(key_uses);
    const data = await this.#get(path, 'VERIFICATIONS', options, isOwn);
    return data['key_uses'] as KeyUse[];
  }

  /**
   * Iterates over the requests that were rejected before the look-up, for example because the wallet was empty, newest
   * first. They are kept for 7 days. Free.
   */
  rejectedRequests(options: ListOptions = {}): AsyncGenerator<RejectedRequests, void, undefined> {
    return this.#entries('/api/v1/verifications/', 'rejected', { outcome: 'REJECTED' }, options);
  }

  /** Returns the log entry of an earlier request, without identity data. Free. */
  async verification(requestId: string, options: CallOptions = {}): Promise<LogEntry> {
    checkRequestId(requestId);
    const path = `/api/v1/verifications/${requestId}/`;
    const isOwn = (data: Json) => data['request_id'] === requestId;
    const data = await this.#get(path, 'VERIFICATION', options, isOwn);
    return data as unknown as LogEntry;
  }

  /** Iterates over the lots of the wallet (credits that were added together), oldest first, with their prices. Free. */
  lots(options: PageOptions = {}): AsyncGenerator<Lot, void, undefined> {
    return this.#entries('/api/v1/wallet/lots/', 'lots', {}, options);
  }

  /** Iterates over invoices, receipts, credit notes and monthly statements, newest first. Free. */
  invoices(options: InvoicesOptions = {}): AsyncGenerator<InvoiceSummary, void, undefined> {
    return this.#entries('/api/v1/wallet/invoices/', 'invoices', { kind: options.kind }, options);
  }

  /** Returns an invoice or another document. Free. */
  async invoice(number: string, options: CallOptions = {}): Promise<Invoice> {
    const isOwn = (data: Json) => data['number'] === number;
    const data = await this.#get(invoicePath(number), 'WALLET_INVOICE', options, isOwn);
    return data as unknown as Invoice;
  }

  /** Returns the PDF of an invoice or another document. Free. */
  async downloadInvoice(number: string, options: CallOptions = {}): Promise<Bytes> {
    return this.#read(invoicePath(number), options, PDF_TYPE, async (response) => {
      if (!isPdfResponse(response) || hasFileName(response, `${number}.pdf`)) return readPdf(response, false);
      await response.body?.cancel();
      return { failure: foreign(false) };
    });
  }

  /** Withdraws a slip. `requestId` is printed on it. Repeating the call is harmless. Free. */
  async revokeSlip(requestId: string, options: CallOptions = {}): Promise<void> {
    checkPathPart('requestId', requestId);
    checkOptions(options, ...CALL_OPTIONS);
    const read = (response: Response) =>
      readData(response, 'SLIP_WITHDRAWN', (data) => data['request_id'] === requestId);
    await this.#send('/api/v1/ng/nin/slip/revoke/', { request_id: requestId }, options, false, read);
  }

  /**
   * Opens an order for credits, which is paid at the `checkout_url` of the result. The API key needs the scope
   * `wallet:pay`. Costs no credits.
   */
  async startTopUp(credits: number, options: TopUpOptions = {}): Promise<TopUp> {
    checkOptions(options, 'returnUrl', 'idempotencyKey', ...CALL_OPTIONS);
    if (!Number.isSafeInteger(credits) || credits < 1)
      throw new TypeError('credits must be a whole number of 1 or more.');
    const body = { credits, return_url: options.returnUrl };
    // Without the key, it may be a different order for as many credits.
    const read = (response: Response) =>
      readData(response, TOP_UP, (data) => data['credits'] === credits && hasKey(response));
    return (await this.#send('/api/v1/wallet/top-ups/', body, options, false, read)) as unknown as TopUp;
  }

  /** Returns an order. Its credits are in the wallet once its `state` is `CREDITED`. Free. */
  async topUp(reference: string, options: CallOptions = {}): Promise<TopUp> {
    checkPathPart('reference', reference);
    const path = `/api/v1/wallet/top-ups/${reference}/`;
    const isOwn = (data: Json) => data['reference'] === reference;
    return (await this.#get(path, TOP_UP, options, isOwn)) as unknown as TopUp;
  }

  #entries<T>(
    path: string,
    field: string,
    filters: Json,
    options: ListOptions,
  ): AsyncGenerator<T, void, undefined> {
    checkOptions(options, 'from', 'to', 'pageSize', ...Object.keys(filters), ...CALL_OPTIONS);
    const { from, to, pageSize } = options;
    const limit = pageSize === undefined ? undefined : checkedNumber('pageSize', pageSize, 1, 100);
    const query = { from: timeText(from), to: timeText(to), ...filters, limit };
    return this.#pages(path, field, query, filters, options);
  }

  async *#pages<T>(
    path: string,
    field: string,
    query: Json,
    filters: Json,
    options: CallOptions,
  ): AsyncGenerator<T, void, undefined> {
    for (let page = query; ; ) {
      const { [field]: code = 'VERIFICATIONS' } = LIST_CODES;
      // Requests that were rejected are next to the others, of which their page has none.
      const isOwn = (data: Json) =>
        isPageOf(data, data[field === 'rejected' ? 'verifications' : field], page, filters) &&
        (!('idempotency_key' in page) || 'key_uses' in data);
      const data = await this.#get(path + queryText(page), code, options, isOwn);
      yield* data[field] as T[];
      const cursor = textOf(data['next_cursor']);
      if (!cursor) return;
      // The first page of a statement fixes its range. The defaults would move with the clock.
      const range = field === 'transactions' ? { from: data['from'], to: data['to'] } : {};
      page = { ...query, ...range, cursor };
    }
  }

  #verify(
    asked: AskedRecord,
    path: string,
    body: Json,
    options: PaidCallOptions,
  ): Promise<Verification<unknown>> {
    return this.#post(path, body, options, async (response, idempotencyKey) => {
      const attempt = await readJson(response, true);
      if ('failure' in attempt) return attempt;
      if (!isRecordOf(attempt.value, response, asked)) return { failure: foreign(true) };
      return { value: new Verification(attempt.value, response, idempotencyKey) };
    });
  }

  #slip<T>(
    nin: string,
    slipType: SlipType,
    options: SlipOptions,
    read: (response: Response, idempotencyKey: string) => Promise<Attempt<T>>,
  ): Promise<T> {
    checkOptions(options, 'match', ...PAID_CALL_OPTIONS);
    checkNumber('NIN', nin);
    checkOneOf('slipType', slipType, SLIP_TYPES);
    const body = { nin, slip_type: slipType, match: claimedDetails(options.match) };
    return this.#post('/api/v1/ng/nin/slip/download/', body, options, async (response, idempotencyKey) => {
      if (!isPdfResponse(response) || isSlipOf(response, nin, slipType, hasMatch(options)))
        return read(response, idempotencyKey);
      await response.body?.cancel();
      return { failure: foreign(true) };
    });
  }

  /** Makes a call that may be charged, with one idempotency key for all its attempts. */
  #post<T>(
    path: string,
    fields: Json,
    options: PaidCallOptions,
    read: (response: Response, idempotencyKey: string) => Promise<Attempt<T>>,
  ): Promise<T> {
    const { reference, consent, reason } = options;
    return this.#send(path, { ...fields, reference, consent, reason }, options, true, read);
  }

  /** Posts a body, with one idempotency key for all attempts. */
  #send<T>(
    path: string,
    body: Json,
    options: CallOptions & { idempotencyKey?: string | undefined },
    costs: boolean,
    read: (response: Response, idempotencyKey: string) => Promise<Attempt<T>>,
  ): Promise<T> {
    const idempotencyKey = options.idempotencyKey ?? globalThis.crypto.randomUUID();
    checkIdempotencyKey(idempotencyKey);
    const headers = {
      Accept: `${PDF_TYPE}, ${JSON_TYPE}`,
      'Content-Type': JSON_TYPE,
      'Idempotency-Key': idempotencyKey,
    };
    const { signal } = options;
    const request = { method: 'POST', path, headers, body: JSON.stringify(body), costs, signal } as const;
    return callWithRetries(
      {
        ...this.#limits(options),
        costs,
        idempotencyKey,
        isKeySupplied: options.idempotencyKey !== undefined,
      },
      (limitMs) => send(this.#transport, request, limitMs, (response) => read(response, idempotencyKey)),
    );
  }

  /** Makes a call that only reads. Returns the `data` of the response with this code that `isOwn` accepts. */
  #get(path: string, code: string, options: CallOptions, isOwn: (data: Json) => boolean): Promise<Json> {
    return this.#read(path, options, JSON_TYPE, (response) => readData(response, code, isOwn));
  }

  #read<T>(
    path: string,
    options: CallOptions,
    accepted: string,
    read: (response: Response) => Promise<Attempt<T>>,
  ): Promise<T> {
    const { signal } = options;
    const request = { method: 'GET', path, headers: { Accept: accepted }, costs: false, signal } as const;
    return callWithRetries({ ...this.#limits(options), costs: false }, (limitMs) =>
      send(this.#transport, request, limitMs, read),
    );
  }

  #limits({ timeoutMs = this.#timeoutMs, signal }: CallOptions) {
    if (signal && typeof signal.aborted !== 'boolean') throw new TypeError('signal must be an AbortSignal.');
    return { timeoutMs: checkedTimeout(timeoutMs), maxRetries: this.#maxRetries, signal };
  }
}

function matchOf({ match, matchOnly }: MatchOptions) {
  if (matchOnly && match === undefined) throw new TypeError('matchOnly requires match.');
  return { match: claimedDetails(match), match_only: matchOnly };
}

const hasMatch = ({ match }: MatchOptions) => match !== undefined;

const TOP_UP = 'WALLET_TOP_UP';
/** The code of the response to a list, by the field of its entries. */
const LIST_CODES: Readonly<Record<string, string>> = {
  transactions: 'WALLET_TRANSACTIONS',
  lots: 'WALLET_LOTS',
  invoices: 'WALLET_INVOICES',
};

const PDF_TYPE = 'application/pdf';
const JSON_TYPE = 'application/json';

/** Returns the `data` of a successful response, if it has this code and `isOwn` accepts it. */
async function readData(
  response: Response,
  expected: string,
  isOwn: (data: Json) => boolean,
): Promise<Attempt<Json>> {
  const attempt: Attempt<Success> = await readJson(response, false);
  if ('failure' in attempt) return attempt;
  const { code, data } = attempt.value;
  return code === expected && isOwn(data) ? { value: data } : { failure: foreign(false) };
}

function invoicePath(number: string): string {
  checkPathPart('number', number);
  return `/api/v1/wallet/invoices/${number}/`;
}

const checkedTimeout = (timeoutMs: number): number =>
  checkedNumber('timeoutMs', timeoutMs, 1, LONGEST_TIMEOUT_MS);

/** Returns an environment variable, on platforms that have them. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

/** Formats a Date for the API. Returns a string unchanged. */
const timeText = (time: Date | string | undefined): string | undefined =>
  time instanceof Date ? time.toISOString() : time;

/** Returns the query string of the fields that are present. */
function queryText(fields: Json): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null) query.set(name, String(value));
  const text = query.toString();
  return text && `?${text}`;
}
