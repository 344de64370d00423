import { encodeTime } from 'ulid';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { requestIndexKey, statementIndexKey, type WalletId, walletName } from '../../../shared/core/keys.ts';
import type { DailySource } from '../../../shared/ledger/reconcile/reconcile-day.ts';
import type { ScannedTable } from '../../../shared/ledger/reconcile/reconcile-table.ts';
import { dayOf } from '../../../shared/ledger/reconcile/rows.ts';
import { VOID_LIFE_SECONDS } from '../../../shared/ledger/rows/charge.ts';
import { logIndexKeys } from '../../../shared/verifications/listed-log.ts';
import { type Item, MemorySeals } from '../../reconcile/exported-tables.ts';

/**
 * The tables of a stage. Their rows are computed when they are read, so that ten million rows need no memory. Each live
 * wallet has the same number of requests every day, and every fifth of them finds no record.
 */

/** The mean sizes of rows in the `statement` and `byTime` indexes and in their tables (docs/operate/cost.md), and of a seal. */
const BYTES = { line: 420, log: 337, seal: 900, walletsRow: 420, logsRow: 464 };
const PAGE_ROWS = 1_000;

export interface StoreSize {
  readonly organisations: number;
  readonly requestsPerDay: number;
  /** The first UTC day with requests. */
  readonly firstDay: string;
}

/** A fault that is planted in a past day. */
export interface Planted {
  readonly organisation: number;
  readonly day: string;
  readonly request: number;
  readonly fault:
    | 'charge changed'
    | 'charge removed'
    | 'log row changed'
    | 'log row removed'
    | 'charge added';
}

/** The reads, by kind. A query of an index that returns nothing costs half a unit. */
export interface Reads {
  lines: number;
  logs: number;
  lookUps: number;
  queries: number;
  scanned: number;
}

export class GeneratedStore {
  readonly seals = new MemorySeals();
  nowMs: number;
  planted: readonly Planted[] = [];
  reads: Reads = { lines: 0, logs: 0, lookUps: 0, queries: 0, scanned: 0 };
  readonly #size: StoreSize;
  readonly #firstMs: number;
  readonly #ids: readonly string[];

  constructor(size: StoreSize) {
    this.#size = size;
    this.#firstMs = Date.parse(`${size.firstDay}T00:00:00.000Z`);
    this.nowMs = this.#firstMs;
    this.#ids = Array.from(
      { length: size.organisations },
      (_, index) => `org${String(index).padStart(7, '0')}`,
    );
  }

  /** The current number of charge rows and log rows, including VOID rows. */
  get rows(): number {
    const days = (this.nowMs - this.#firstMs) / DAY_MS;
    return Math.floor(days * this.#size.requestsPerDay * 2) * this.#size.organisations;
  }

  /** Read units. Index reads are eventually consistent; scans and look-ups are strongly consistent. */
  get units(): number {
    const { lines, logs, lookUps, queries, scanned } = this.reads;
    const ofIndexes = (lines * BYTES.line + logs * BYTES.log) / 8_192 + queries / 2;
    const ofScan = (scanned * (BYTES.walletsRow + BYTES.logsRow)) / 2 / 4_096;
    return Math.round(ofIndexes + ofScan + lookUps + (this.seals.reads * BYTES.seal) / 4_096);
  }

  source(): DailySource {
    return {
      seals: this.seals,
      shards: { listShards: async () => [], getShards: async () => [] },
      listOrganisations: async () =>
        this.#ids.map((id) => ({
          ...newOrganisation('Generated', new Date(this.#firstMs)),
          id,
          createdAt: new Date(this.#firstMs + DAY_MS).toISOString(),
        })),
      readShards: async (wallet) => {
        const reading = { fromMs: this.nowMs, toMs: this.nowMs };
        if (wallet.env === 'test') return { ...reading, shards: [] };
        const credited = this.#creditsUntilNow();
        const available = credited - this.#chargedUntilNow();
        return { ...reading, shards: [{ shard: 0, available, credited, holds: {} }] };
      },
      chargeItems: async (wallet, ids) => {
        this.reads.lookUps += ids.length;
        return ids.map((id) => this.#chargeOf(wallet, id)).filter((item) => item !== undefined);
      },
      creditItems: async () => [],
      logItems: async (wallet, requestId) => {
        this.reads.queries += 1;
        const [day = 0, request = 0] = requestId.slice(4).split('x').map(Number);
        return this.#log(wallet, day, request);
      },
      linePages: (wallet, _, range) => this.#linePages(wallet, range.from, range.to),
      logPagesOfDay: (wallet, day) => this.#logPages(wallet, day),
      segmentPages: (table, _, segments) => this.#segment(table, segments),
    };
  }

  async *#linePages(wallet: WalletId, from: string, to: string): AsyncGenerator<readonly Item[]> {
    this.reads.queries += 1;
    if (wallet.env === 'test') return;
    let page: Item[] = [];
    for (const day of this.#daysBetween(from, to)) {
      const items = [this.#credit(wallet, day)];
      for (let request = 0; request < this.#size.requestsPerDay; request += 1)
        if (isFound(request) || this.planted.length > 0) {
          const charge = this.#charge(wallet, day, request);
          if (charge && 'statementKey' in charge) items.push(charge);
        }
      for (const item of items) {
        const sort = String(item['statementSort']);
        if (sort < from || sort > to || sort > new Date(this.nowMs).toISOString()) continue;
        page.push(item);
        this.reads.lines += 1;
        if (page.length < PAGE_ROWS) continue;
        yield page;
        page = [];
      }
    }
    yield page;
  }

  async *#logPages(wallet: WalletId, day: string): AsyncGenerator<readonly Item[]> {
    this.reads.queries += 4;
    if (wallet.env === 'test') return;
    const index = Math.round((Date.parse(`${day}T00:00:00.000Z`) - this.#firstMs) / DAY_MS);
    const items: Item[] = [];
    for (let request = 0; request < this.#size.requestsPerDay; request += 1)
      if (this.#requestedAtMs(index, request) < this.nowMs - 1_000)
        items.push(...this.#log(wallet, index, request));
    this.reads.logs += items.length;
    for (let first = 0; first < items.length; first += PAGE_ROWS) yield items.slice(first, first + PAGE_ROWS);
  }

  /**
   * Yields as many rows as a segment would have. They are copies of the run's row or of a marker of an erasure, which
   * the scan only counts.
   */
  async *#segment(table: ScannedTable, segments: number): AsyncGenerator<readonly Item[]> {
    const rows = Math.floor(this.rows / 2 / segments);
    this.reads.scanned += rows;
    const run = await this.seals.getRun();
    const item =
      table === 'wallets'
        ? { pk: 'live#RECONCILIATION#RUN', sk: 'RUN', ...run }
        : { pk: 'live#org0000000#ERASED', sk: 'tag', erasedAtMs: 1, expiresAt: 1 };
    for (let first = 0; first < rows; first += PAGE_ROWS)
      yield Array.from({ length: Math.min(PAGE_ROWS, rows - first) }, () => item);
  }

  #daysBetween(from: string, to: string): number[] {
    const [first, last] = [from, to].map((time) => Math.floor((Date.parse(time) - this.#firstMs) / DAY_MS));
    return Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, index) => (first ?? 0) + index).filter(
      (day) => day >= 0,
    );
  }

  #requestedAtMs(day: number, request: number): number {
    return this.#firstMs + day * DAY_MS + Math.floor(((request + 0.5) * DAY_MS) / this.#size.requestsPerDay);
  }

  #creditsUntilNow(): number {
    return (Math.floor((this.nowMs - this.#firstMs) / DAY_MS) + 1) * this.#size.requestsPerDay;
  }

  #chargedUntilNow(): number {
    const perDay = this.#size.requestsPerDay;
    const days = Math.floor((this.nowMs - this.#firstMs) / DAY_MS);
    const ofDay = (end: number) =>
      Array.from({ length: end }, (_, request) => request).filter(isFound).length;
    let today = 0;
    while (today < perDay && this.#requestedAtMs(days, today) + 500 <= this.nowMs) today += 1;
    return days * ofDay(perDay) + ofDay(today);
  }

  #credit(wallet: WalletId, day: number): Item {
    const createdAt = new Date(this.#firstMs + day * DAY_MS).toISOString();
    const reference = `INV-${day}`;
    return {
      pk: `${walletName(wallet)}#${reference}`,
      sk: 'CREDIT',
      reference,
      kind: 'TOP_UP',
      amount: this.#size.requestsPerDay,
      shard: 0,
      actor: 'ada',
      reason: '',
      createdAt,
      statementKey: statementIndexKey(wallet, createdAt.slice(0, 7), 0),
      statementSort: `${createdAt}#${reference}`,
    };
  }

  #chargeOf(wallet: WalletId, operationId: string): Item | undefined {
    const [day = 0, request = 0] = [operationId.slice(10, 18), operationId.slice(18)].map(Number);
    return this.#charge(wallet, day, request);
  }

  /** Returns what both rows of a request have in common. */
  #factsOf(day: number, request: number) {
    const requestedAtMs = this.#requestedAtMs(day, request);
    const found = isFound(request);
    return {
      operationId:
        encodeTime(requestedAtMs, 10) + String(day).padStart(8, '0') + String(request).padStart(8, '0'),
      requestId: `req_${day}x${request}`,
      service: 'nin-basic',
      keyLabel: 'server',
      outcome: found ? 'FOUND' : 'NOT_FOUND',
      provider: 'Sandbox',
      httpStatus: found ? 200 : 404,
      latencyMs: 500,
      requestedAt: new Date(requestedAtMs).toISOString(),
    };
  }

  /** Returns the charge row of a request, changed by the planted faults. */
  #charge(wallet: WalletId, day: number, request: number): Item | undefined {
    const fault = this.#faultOf(wallet, day, request);
    if (fault === 'charge removed') return undefined;
    const facts = this.#factsOf(day, request);
    const decidedAt = new Date(this.#requestedAtMs(day, request) + 500).toISOString();
    const key = { pk: `${walletName(wallet)}#${facts.operationId}`, sk: 'CHARGE' };
    if (!isFound(request) && fault !== 'charge added') {
      const expiresAt = Math.floor(Date.parse(decidedAt) / 1000) + VOID_LIFE_SECONDS;
      return { ...key, ...facts, state: 'VOID', cost: 1, decidedAt, expiresAt };
    }
    const charge = { ...key, ...facts, state: 'CHARGED', cost: 1, decidedAt };
    return {
      ...charge,
      ...(fault === 'charge changed' && { keyLabel: 'other' }),
      shard: 0,
      holdId: `${facts.operationId}.0`,
      statementKey: statementIndexKey(wallet, decidedAt.slice(0, 7), 0),
      statementSort: `${decidedAt}#${facts.operationId}`,
    };
  }

  /** Returns the log row of a request, changed by the planted faults. */
  #log(wallet: WalletId, day: number, request: number): Item[] {
    const fault = this.#faultOf(wallet, day, request);
    if (fault === 'log row removed') return [];
    const facts = this.#factsOf(day, request);
    const log = {
      pk: `${walletName(wallet)}#tag${request}`,
      sk: facts.operationId,
      ...facts,
      creditsCharged: isFound(request) ? 1 : 0,
      requestKey: requestIndexKey(wallet, facts.requestId),
      ...logIndexKeys(wallet, facts),
      expiresAt: Math.floor(Date.parse(facts.requestedAt) / 1000) + 3_650 * 86_400,
    };
    return [fault === 'log row changed' ? { ...log, provider: 'Other' } : log];
  }

  #faultOf(wallet: WalletId, day: number, request: number): Planted['fault'] | undefined {
    if (this.planted.length === 0) return undefined;
    const date = dayOf(this.#firstMs + day * DAY_MS);
    const id = wallet.organisationId;
    return this.planted.find(
      (one) => one.request === request && one.day === date && this.#ids[one.organisation] === id,
    )?.fault;
  }
}

const isFound = (request: number) => request % 5 !== 4;
