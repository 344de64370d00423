import { DAY_MS } from '../../../shared/core/clock.ts';
import type { Commit, JsonRow, RowVersion } from './evidence.ts';

/** The state of the ledger, rebuilt from the rows write by write. */

export interface HoldRow {
  readonly operationId: string;
  readonly cost: number;
  readonly requestId: string;
}

export interface ShardRow {
  readonly available: number;
  readonly credited: number;
  readonly moved: number;
  readonly holds: ReadonlyMap<string, HoldRow>;
}

export interface KeyLifetime {
  lastStartedMs: number;
  readonly operationIds: string[];
  readonly requestIds: string[];
}

export class WalletState {
  readonly shards = new Map<number, ShardRow>();
  readonly charges = new Map<string, JsonRow>();
  readonly credits = new Map<string, JsonRow>();
  readonly logs = new Map<string, JsonRow[]>();
  readonly heldOperations = new Set<string>();
  /** The markers of erasures by number tag, in order, each with the number of commits up to and including it. */
  readonly markers = new Map<string, { readonly after: number; readonly row: JsonRow }[]>();
  readonly claims = new Map<string, JsonRow>();
  /** The attempts that the idempotency row has named, by key hash, in order. */
  readonly attempts = new Map<string, KeyLifetime[]>();

  hasClaimed(requestId: string): boolean {
    return [...this.attempts.values()].flat().some(({ requestIds }) => requestIds.includes(requestId));
  }
  available(): number {
    return this.sum((row) => row.available);
  }
  credited(): number {
    return this.sum((row) => row.credited);
  }
  moved(): number {
    return this.sum((row) => row.moved);
  }
  held(): number {
    return this.sum((row) => [...row.holds.values()].reduce((total, { cost }) => total + cost, 0));
  }
  /** Returns the total cost of the CHARGED rows whose hold is no longer in its shard. */
  spent(): number {
    const charged = [...this.charges.values()].filter((row) => row['state'] === 'CHARGED');
    const settled = charged.filter(
      (row) => !this.shards.get(number(row, 'shard'))?.holds.has(text(row, 'holdId')),
    );
    return settled.reduce((total, row) => total + number(row, 'cost'), 0);
  }
  paid(): number {
    return [...this.credits.values()].reduce((total, row) => total + number(row, 'amount'), 0);
  }

  private sum(amount: (row: ShardRow) => number): number {
    return [...this.shards.values()].reduce((total, row) => total + amount(row), 0);
  }
}

/** Returns whether the row stores a payment's reference. Such a row belongs to no wallet. */
export function isReference({ sk }: RowVersion): boolean {
  return sk === 'REFERENCE';
}

export class LedgerState {
  readonly wallets = new Map<string, WalletState>();

  constructor(names: readonly string[]) {
    for (const name of names) this.wallets.set(name, new WalletState());
  }

  /** Returns the wallet of a row, whose partition key begins with `<env>#<org>`. */
  walletOf({ pk }: RowVersion): [name: string, state: WalletState] {
    const name = pk.split('#', 2).join('#');
    const state = this.wallets.get(name);
    if (!state) throw new Error(`Unknown wallet of row ${pk}`);
    return [name, state];
  }

  private commits = 0;

  apply({ versions, atMs }: Commit): void {
    this.commits += 1;
    for (const version of versions) this.applyVersion(version, atMs);
  }

  private applyVersion(version: RowVersion, atMs: number): void {
    if (isReference(version)) return;
    const [, state] = this.walletOf(version);
    const id = version.pk.split('#')[2] ?? '';
    if (version.table === 'VerificationLogs') {
      if (id === 'ERASED') this.applyMarker(state, version);
      else applyLog(state, version);
      return;
    }
    if (version.sk === 'WALLET') {
      const shard = version.row && shardOf(version.row);
      for (const { operationId } of shard?.holds.values() ?? []) state.heldOperations.add(operationId);
      replace(state.shards, Number(id), shard);
    }
    if (version.sk === 'CHARGE') replace(state.charges, id, version.row);
    if (version.sk === 'CREDIT') replace(state.credits, id, version.row);
    if (version.sk !== 'IDEMPOTENCY') return;
    replace(state.claims, id, version.row);
    if (version.row) recordAttempt(state, id, version.row, atMs);
  }

  private applyMarker(state: WalletState, { sk, row }: RowVersion): void {
    if (!row) return;
    state.markers.set(sk, [...(state.markers.get(sk) ?? []), { after: this.commits, row }]);
  }
}

function applyLog(state: WalletState, { sk, pk, row }: RowVersion): void {
  const others = (state.logs.get(sk) ?? []).filter((log) => log['pk'] !== pk);
  if (row) others.push(row);
  state.logs.set(sk, others);
}

/** A key expires 30 days after its last attempt, or up to CLOCK_ERROR_MS earlier. It can then be used again. */
export const KEY_LIFE_MS = 30 * DAY_MS;
const CLOCK_ERROR_MS = 5_000;

function recordAttempt(state: WalletState, id: string, row: JsonRow, atMs: number): void {
  const lifetimes = state.attempts.get(id) ?? [];
  const operationId = text(row, 'operationId');
  const requestId = text(row, 'requestId');
  const startedMs = number(row, 'startedAtMs');
  const last = lifetimes.at(-1);
  const isOver = last && atMs >= last.lastStartedMs + KEY_LIFE_MS - CLOCK_ERROR_MS;
  if (!last || (isOver && !last.operationIds.includes(operationId)))
    lifetimes.push({ lastStartedMs: startedMs, operationIds: [operationId], requestIds: [requestId] });
  else if (last.operationIds.at(-1) !== operationId) {
    last.operationIds.push(operationId);
    last.requestIds.push(requestId);
    last.lastStartedMs = startedMs;
  }
  state.attempts.set(id, lifetimes);
}

function replace<K, V>(map: Map<K, V>, key: K, value: V | null): void {
  if (value === null) map.delete(key);
  else map.set(key, value);
}

function shardOf(row: JsonRow): ShardRow {
  const holds = new Map<string, HoldRow>();
  for (const [holdId, entry] of Object.entries((row['holds'] ?? {}) as Record<string, JsonRow>)) {
    const operationId = holdId.split('.', 1)[0] ?? '';
    holds.set(holdId, { operationId, cost: number(entry, 'cost'), requestId: text(entry, 'requestId') });
  }
  const moved = 'moved' in row ? number(row, 'moved') : 0;
  return { available: number(row, 'available'), credited: number(row, 'credited'), moved, holds };
}

/** Returns a numeric attribute of a row. Throws if it is missing. */
export function number(row: JsonRow, name: string): number {
  const value = row[name];
  if (typeof value !== 'number') throw new Error(`The row has no number ${name}.`);
  return value;
}

/** Returns a string attribute of a row. Throws if it is missing. */
export function text(row: JsonRow, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw new Error(`The row has no string ${name}.`);
  return value;
}
