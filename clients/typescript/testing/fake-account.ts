import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as v from 'valibot';
import { CATALOGUE, type ErrorCode, invalidSchema, ServiceError } from '../../../shared/core/errors.ts';
import { containsNumber } from '../../../shared/core/numbers.ts';
import {
  IDEMPOTENCY_HEADER,
  IDEMPOTENCY_KEY,
  KEY_FORMAT,
  USE_UUID,
} from '../../../shared/http/idempotency-key.ts';
import { noQuery, readQuery, requireOrder } from '../../../shared/http/query.ts';
import { transactionsQuery } from '../../../shared/ledger/routes/statement-query.ts';
import { checkedReturnUrl, topUpBody } from '../../../shared/payments/routes/payment-query.ts';
import { BANKS } from '../../../shared/registries/mapping/banks.ts';
import { parseBody } from '../../../shared/verifications/parse-body.ts';
import type { Command } from '../../../shared/verifications/requests.ts';
import { verificationsQuery } from '../../../shared/verifications/routes/verifications-query.ts';
import { LOOK_UP_ROUTES, SERVICE_NAMES } from '../../../shared/verifications/services.ts';
import type { KeyUse, LogEntry, Me, TopUp } from '../src/records.ts';

export interface FakeResult {
  readonly json?: Readonly<Record<string, unknown>>;
  readonly pdf?: string;
  readonly fileName?: string;
}

/** A log entry, and what it does not show. */
type Entry = { -readonly [Field in keyof LogEntry]: LogEntry[Field] } & {
  balance_after: number;
  readonly route: KeyUse['route'];
  readonly key: string | undefined;
};

const shownOf = ({ balance_after: _, route: __, key: ___, ...shown }: Entry): LogEntry => shown;

const found = (code: string, data: object): FakeResult => ({
  json: { success: true, code, message: `${code}.`, data },
});

const KOBO_PER_CREDIT = 5_000;
const VAT_PERCENT = 7.5;
/** As in the local service. */
const LEAST_CREDITS = 10;
const MOST_CREDITS = 1_000_000;
const RANGE = `from ${LEAST_CREDITS} to ${MOST_CREDITS}`;
const DAY_MS = 86_400_000;
const WITHOUT_QUERY = /^(?:me|banks|wallet\/balance|(?:verifications|wallet\/top-ups)\/.+)$/;
export const FREE_REPLAYS = 3;

const ME: Me = {
  environment: 'test',
  organisation: { id: 'a1B2c3D4e5', name: 'Made-up Bank', status: 'APPROVED' },
  key: { label: 'fake', last_four: '0000', expires_at: null },
  scopes: ['verify:*', 'slip:read', 'wallet:read', 'wallet:pay', 'verification:read', 'slip:revoke'],
  limits: { requests_per_second: 10, burst: 20 },
  services: SERVICE_NAMES.map((service) => ({ service, is_enabled: true, access: 'full', credits: 1 })),
};

/** As the service checks an Idempotency-Key, which must not contain the number to verify. */
export function checkKey(key: string, number?: string): void {
  if (!IDEMPOTENCY_KEY.test(key))
    throw invalidSchema('wrong_format', IDEMPOTENCY_HEADER, KEY_FORMAT, USE_UUID);
  if (number !== undefined && containsNumber(key, number))
    throw invalidSchema(
      'wrong_value',
      IDEMPOTENCY_HEADER,
      `The ${IDEMPOTENCY_HEADER} contains the number to verify.`,
      USE_UUID,
    );
}

/** The wallet, the log and the orders of the fake's organisation. */
export class FakeAccount {
  readonly #wallet: { credits: number };
  readonly #log: Entry[] = [];
  readonly #added: { reference: string; credits: number; at: string; balance: number }[] = [];
  readonly #orders = new Map<string, TopUp>();

  constructor(wallet: { credits: number }) {
    this.#wallet = wallet;
  }

  /** `replayOf` is the ID of the charged request that this one repeats. */
  begin(
    requestId: string,
    command: Command,
    replayOf: string | null,
    { route, key }: Pick<Entry, 'route' | 'key'>,
  ): Entry {
    const entry: Entry = {
      request_id: requestId,
      service: command.service,
      verification_type: command.idType,
      outcome: 'FOUND',
      http_status: 200,
      credits_charged: 0,
      is_replay: replayOf !== null,
      replay_of: replayOf,
      provider: 'Sandbox',
      key_label: 'fake',
      latency_ms: 1,
      requested_at: new Date().toISOString(),
      reference: command.reference ?? null,
      environment: 'test',
      consent: command.consent ?? null,
      reason: command.reason ?? null,
      balance_after: this.#wallet.credits,
      route,
      key,
    };
    this.#log.push(entry);
    return entry;
  }

  end(entry: Entry, credits: number, error?: unknown): void {
    entry.credits_charged = credits;
    entry.balance_after = this.#wallet.credits;
    if (error === undefined) return;
    const code: ErrorCode = error instanceof ServiceError ? error.code : 'SERVER_ERROR';
    entry.http_status = CATALOGUE[code].status;
    entry.outcome = OUTCOMES.find(([pattern]) => pattern.test(code))?.[1] ?? 'ERROR';
  }

  read(route: string, query: URLSearchParams): FakeResult {
    if (WITHOUT_QUERY.test(route)) checkedQuery(query, noQuery);
    switch (route) {
      case 'me':
        return found('ME', ME);
      case 'wallet/balance':
        return found('WALLET_BALANCE', {
          environment: 'test',
          available: this.#wallet.credits,
          held: 0,
          currency: 'credits',
        });
      case 'banks':
        return found('BANKS', { banks: BANKS.map(bank) });
      case 'wallet/transactions':
        return found('WALLET_TRANSACTIONS', this.#transactions(query));
      case 'verifications':
        return found('VERIFICATIONS', this.#verifications(query));
    }
    const [, kind, id = ''] = /^(verifications|wallet\/top-ups)\/(.+)$/.exec(route) ?? [];
    if (kind === 'verifications') {
      const entry = this.#log.find(({ request_id }) => request_id === id);
      if (!entry) throw new ServiceError('VERIFICATION_NOT_FOUND');
      return found('VERIFICATION', shownOf(entry));
    }
    const order = this.#orders.get(id);
    if (kind && !order) throw new ServiceError('TOP_UP_NOT_FOUND');
    if (order) return found('WALLET_TOP_UP', order);
    throw new ServiceError('ROUTE_NOT_FOUND');
  }

  startTopUp(json: unknown, key: string | undefined, headers: Record<string, string>): FakeResult {
    const { credits, return_url: returnUrl } = parseBody(topUpBody, json);
    if (returnUrl !== undefined) checkedReturnUrl(returnUrl);
    if (key !== undefined) checkKey(key);
    if (credits < LEAST_CREDITS || credits > MOST_CREDITS)
      throw invalidSchema(
        'wrong_value',
        'credits',
        `The field credits must be ${RANGE}.`,
        `Send a whole number ${RANGE}.`,
      );
    const reference = `TOPUP-${key || crypto.randomUUID()}`.replace(/[^\w-]/g, '-');
    const known = this.#orders.get(reference);
    if (known && known.credits !== credits) throw new ServiceError('IDEMPOTENCY_KEY_REUSED');
    if (known) headers['Idempotent-Replayed'] = 'true';
    const order = known ?? newOrder(reference, credits);
    this.#orders.set(reference, order);
    return found('WALLET_TOP_UP', order);
  }

  pay(reference: string): void {
    const order = this.#orders.get(reference);
    if (order?.state !== 'OPENED') throw new TypeError(`There is no open order ${reference}.`);
    const at = new Date().toISOString();
    this.#orders.set(reference, { ...order, state: 'CREDITED', credited_at: at });
    this.#wallet.credits += order.credits;
    this.#added.push({ reference, credits: order.credits, at, balance: this.#wallet.credits });
  }

  #verifications(query: URLSearchParams): object {
    const { idempotency_key: key, from, to, ...filter } = checkedQuery(query, verificationsQuery);
    const range = rangeOf(from, to);
    const other = [...query.keys()].find((name) => name !== 'idempotency_key');
    if (key !== undefined && other !== undefined)
      throw invalidSchema(
        'wrong_value',
        other,
        'The query parameter idempotency_key cannot be combined with others.',
        'Send it alone.',
      );
    const isWanted = (entry: Entry) =>
      (key === undefined || entry.key === key) &&
      (['reference', 'service', 'outcome'] as const).every(
        (field) => filter[field] === undefined || filter[field] === entry[field],
      );
    const entries = this.#log.filter(isWanted).reverse();
    const shown = entries.map((entry) => {
      const { environment, consent, reason, ...listed } = shownOf(entry);
      return listed;
    });
    return {
      ...page('verifications', shown, query, range, ({ requested_at: at }) => at),
      ...(key !== undefined && { key_uses: keyUses(entries) }),
      rejected: [],
    };
  }

  #transactions(query: URLSearchParams): object {
    const { type: wantedType, from, to } = checkedQuery(query, transactionsQuery);
    const range = rangeOf(from, to);
    const charges = this.#log
      .filter((entry) => entry.credits_charged > 0)
      .map((entry) => ({
        id: entry.request_id,
        type: 'debit',
        amount: -entry.credits_charged,
        created_at: entry.requested_at,
        balance_after: entry.balance_after,
        request_id: entry.request_id,
        service: entry.service,
        key_label: entry.key_label,
        // The log has the caller's reference.
        reference: null,
        kind: 'CHARGE',
        reason: null,
      }));
    const credits = this.#added.map(({ reference, credits: amount, at, balance }) => ({
      ...{ id: reference, type: 'credit', amount, created_at: at, balance_after: balance },
      ...{ request_id: null, service: null, key_label: null, reference, kind: 'TOP_UP', reason: null },
    }));
    const all = [...charges, ...credits].sort((one, other) => one.created_at.localeCompare(other.created_at));
    const wanted = all.filter(({ type }) => wantedType === undefined || wantedType === type);
    const listed = page('transactions', wanted, query, range, ({ created_at: at }) => at);
    const first = all[0];
    const opening = first ? first.balance_after - first.amount : this.#wallet.credits;
    return { ...listed, opening_balance: opening, closing_balance: this.#wallet.credits };
  }
}

const OUTCOMES = [
  [/_NOT_FOUND$/, 'NOT_FOUND'],
  [/FAILED$/, 'FAILED'],
  [/^SERVICE_UNAVAILABLE$/, 'UNREACHABLE'],
  [/^TIMEOUT$/, 'TIMEOUT'],
] as const;

/** Checks a query as the service does, but not its cursor, which is the fake's own. */
function checkedQuery<Entries extends v.ObjectEntries>(
  query: URLSearchParams,
  schema: v.StrictObjectSchema<Entries, undefined>,
) {
  const given = [...new Set(query.keys())].filter((name) => name !== 'cursor');
  const multiValueQueryStringParameters = Object.fromEntries(given.map((name) => [name, query.getAll(name)]));
  return readQuery({ multiValueQueryStringParameters } as unknown as APIGatewayProxyEvent, schema);
}

/** What became of a key on each route. `entries` are all with the key, the newest first. */
function keyUses(entries: readonly Entry[]): KeyUse[] {
  return LOOK_UP_ROUTES.flatMap((route) => {
    const used = entries.filter((entry) => entry.route === route);
    const charged = used.find(({ credits_charged: credits }) => credits > 0);
    const decisive = charged ?? used[0];
    if (!decisive) return [];
    const replays = used.filter(({ is_replay: isReplay, outcome }) => isReplay && outcome === 'FOUND').length;
    return {
      route,
      key_state: charged ? 'charged' : 'not_charged',
      request_id: decisive.request_id,
      requested_at: decisive.requested_at,
      credits_charged: charged?.credits_charged ?? 0,
      replays_left: charged ? FREE_REPLAYS - replays : 0,
    };
  });
}

/** A page has no entries that are later than its request. */
function rangeOf(from: string | undefined, to: string | undefined) {
  // Otherwise, an entry of this millisecond would be missing.
  const now = new Date(Date.now() + 1).toISOString();
  const end = to !== undefined && to < now ? to : now;
  const start = from ?? `${end.slice(0, 7)}-01T00:00:00.000Z`;
  requireOrder(start, end);
  return { from: start, to: end };
}

function page<Row>(
  name: string,
  rows: readonly Row[],
  query: URLSearchParams,
  { from, to }: ReturnType<typeof rangeOf>,
  timeOf: (row: Row) => string,
) {
  const start = Number(query.get('cursor') ?? 0);
  const end = start + Number(query.get('limit') ?? 50);
  const within = rows.filter((row) => timeOf(row) >= from && timeOf(row) < to);
  const next_cursor = end < within.length ? String(end) : null;
  return { environment: 'test', from, to, [name]: within.slice(start, end), next_cursor };
}

const bank = ({ name, shortName, kind, cbnCode, nipCode, providerCodes }: (typeof BANKS)[number]) => ({
  ...{ name, short_name: shortName, kind },
  ...{ cbn_code: cbnCode, nip_code: nipCode, provider_codes: providerCodes },
});

function newOrder(reference: string, credits: number): TopUp {
  const net = credits * KOBO_PER_CREDIT;
  const vat = Math.round((net * VAT_PERCENT) / 100);
  return {
    environment: 'test',
    reference,
    state: 'OPENED',
    credits,
    kobo_per_credit: KOBO_PER_CREDIT,
    net_kobo: net,
    vat_kobo: vat,
    total_kobo: net + vat,
    currency: 'NGN',
    checkout_url: `https://checkout.example/${reference}`,
    opened_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + DAY_MS).toISOString(),
    credited_at: null,
    invoice: null,
    receipt: null,
  };
}
