import { encodeTime, ulid } from 'ulid';
import { newOrganisation } from '../../shared/accounts/organisation.ts';
import { DAY_MS, HOUR_MS } from '../../shared/core/clock.ts';
import { shardKey, type WalletId } from '../../shared/core/keys.ts';
import { statementKeys } from '../../shared/ledger/statement/statement.ts';
import { logIndexKeys } from '../../shared/verifications/listed-log.ts';
import type { ExportedTables, Item } from './exported-tables.ts';

/** Builds a few rows that agree with each other. Tests then change them. */

export const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
export const WALLET: WalletId = { env: 'live', organisationId: 'aaaaaaaaaa' };
const ids = new Map<string, string>();

/** Returns the operation ID of a request with this name, generated `agoMs` before now. */
export function operationId(name: string, agoMs = HOUR_MS): string {
  const id = ids.get(name) ?? encodeTime(NOW_MS - agoMs, 10) + ulid().slice(10);
  ids.set(name, id);
  return id;
}

export interface InventedRequest {
  readonly name: string;
  readonly outcome?: string;
  readonly cost?: number;
  readonly agoMs?: number;
  readonly shard?: number;
}

/** Returns the charge row and the log row of a request. By default, a record was found and the request was charged. */
export function requestRows(request: InventedRequest): { readonly charge: Item; readonly log: Item } {
  const { name, outcome = 'FOUND', cost = 1, agoMs = HOUR_MS, shard = 0 } = request;
  const id = operationId(name, agoMs);
  const time = new Date(NOW_MS - agoMs + 500).toISOString();
  const isCharged = outcome === 'FOUND';
  const facts = {
    operationId: id,
    requestId: name,
    service: 'nin-basic',
    keyLabel: 'server',
    outcome,
    provider: 'Sandbox',
    httpStatus: isCharged ? 200 : 400,
    latencyMs: 500,
    requestedAt: new Date(NOW_MS - agoMs).toISOString(),
  };
  const decision = isCharged
    ? { state: 'CHARGED', shard, holdId: `${id}.0`, ...statementKeys(WALLET, shard, time, id) }
    : { state: 'VOID', expiresAt: NOW_MS / 1000 + 5_000_000 };
  const prefix = `${WALLET.env}#${WALLET.organisationId}`;
  return {
    charge: { pk: `${prefix}#${id}`, sk: 'CHARGE', ...facts, cost, decidedAt: time, ...decision },
    log: {
      pk: `${prefix}#tag-of-${name}`,
      sk: id,
      ...facts,
      creditsCharged: isCharged ? cost : 0,
      requestKey: `${prefix}#${name}`,
      ...logIndexKeys(WALLET, { operationId: id, requestedAt: facts.requestedAt }),
      expiresAt: NOW_MS / 1000 + 30_000_000,
    },
  };
}

export function creditRow(reference: string, amount: number, shard = 0): Item {
  const createdAt = new Date(NOW_MS - 48 * HOUR_MS).toISOString();
  const key = { pk: `${WALLET.env}#${WALLET.organisationId}#${reference}`, sk: 'CREDIT' };
  const facts = { reference, kind: 'TOP_UP', amount, shard, actor: 'ada', reason: '', createdAt };
  return { ...key, ...facts, ...statementKeys(WALLET, shard, createdAt, reference) };
}

export function shardRow(
  shard: number,
  amounts: { available: number; credited: number; holds?: Item },
): Item {
  const { holds = {}, ...credits } = amounts;
  return { ...shardKey(WALLET, shard), shard, ...credits, holds, walletsKey: `WALLETS#${WALLET.env}` };
}

export function holdOf(name: string, agoMs: number): Item {
  const holdId = `${operationId(name, agoMs)}.0`;
  const facts = { requestId: name, cost: 1, service: 'nin-basic', keyLabel: 'server', numberTag: 'tag' };
  return { [holdId]: { ...facts, expiresAtMs: NOW_MS - agoMs + 40_000 } };
}

export function idempotencyRow(name: string, of: string, replays?: readonly string[]): Item {
  return {
    pk: `${WALLET.env}#${WALLET.organisationId}#hash-of-${name}`,
    sk: 'IDEMPOTENCY',
    fingerprint: 'f',
    operationId: operationId(of),
    requestId: of,
    startedAtMs: NOW_MS - HOUR_MS,
    ...(replays && { replays: new Set(replays) }),
    expiresAt: NOW_MS / 1000 + 2_000_000,
  };
}

/** Whether an item belongs to the request with this name, and is of this kind if `sk` is given. */
export const isOf = (item: Item, name: string, sk?: string): boolean =>
  item['requestId'] === name && (sk === undefined || item['sk'] === sk);

/** Returns the tables of one organisation that received 100 credits and sent these requests. */
export function rowsOf(requests: readonly InventedRequest[], more: readonly Item[] = []): ExportedTables {
  const rows = requests.map(requestRows);
  const spent = rows.reduce((sum, { log }) => sum + Number(log['creditsCharged']), 0);
  const organisation = {
    ...newOrganisation('Harmattan', new Date(NOW_MS - 400 * DAY_MS)),
    id: WALLET.organisationId,
  };
  const test = { pk: `test#${WALLET.organisationId}#00`, walletsKey: 'WALLETS#test' };
  return {
    apiKeys: [{ pk: `ORG#${organisation.id}`, sk: 'ORG', ...organisation }],
    wallets: [
      shardRow(0, { available: 100 - spent, credited: 100 }),
      { ...shardRow(0, { available: 0, credited: 0 }), ...test },
      creditRow('INV-1', 100),
      ...rows.map(({ charge }) => charge),
      ...more,
    ],
    logs: rows.map(({ log }) => log),
  };
}
