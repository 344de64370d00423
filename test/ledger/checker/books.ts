import type { Commit, JsonRow, RowVersion } from './evidence.ts';

/** The books as the rows tell them, rebuilt write by write. */

export interface HoldRow {
  readonly operationId: string;
  readonly cost: number;
  readonly requestId: string;
}

export interface ShardRow {
  readonly available: number;
  readonly credited: number;
  readonly holds: ReadonlyMap<string, HoldRow>;
}

/** The attempts under one key in its lifetime. */
export interface Chain {
  /** When the last attempt took the key. */
  beganMs: number;
  readonly operationIds: string[];
}

export class WalletBooks {
  readonly shards = new Map<number, ShardRow>();
  /** By operation id. */
  readonly charges = new Map<string, JsonRow>();
  /** By reference. */
  readonly credits = new Map<string, JsonRow>();
  /** By operation id: the rows under every number tag. */
  readonly logs = new Map<string, JsonRow[]>();
  /** The attempts that each idempotency row has named, in their order. */
  readonly attempts = new Map<string, Chain[]>();

  available(shards = this.shards.size): number {
    return this.sum((row) => row.available, shards);
  }
  credited(): number {
    return this.sum((row) => row.credited);
  }
  held(): number {
    return this.sum((row) => [...row.holds.values()].reduce((total, { cost }) => total + cost, 0));
  }
  /** Cost of CHARGED rows whose named hold is gone. */
  spent(): number {
    const charged = [...this.charges.values()].filter((row) => row['state'] === 'CHARGED');
    const ended = charged.filter(
      (row) => !this.shards.get(number(row, 'shard'))?.holds.has(text(row, 'holdId')),
    );
    return ended.reduce((total, row) => total + number(row, 'cost'), 0);
  }
  paid(): number {
    return [...this.credits.values()].reduce((total, row) => total + number(row, 'amount'), 0);
  }

  private sum(amount: (row: ShardRow) => number, shards = this.shards.size): number {
    let total = 0;
    for (const [shard, row] of this.shards) if (shard < shards) total += amount(row);
    return total;
  }
}

export class Books {
  readonly wallets = new Map<string, WalletBooks>();

  constructor(names: readonly string[]) {
    for (const name of names) this.wallets.set(name, new WalletBooks());
  }

  /** Keys begin with `<env>#<org>`. */
  walletOf({ pk }: RowVersion): [name: string, books: WalletBooks] {
    const name = pk.split('#', 2).join('#');
    const books = this.wallets.get(name);
    if (!books) throw new Error(`A row of no known wallet: ${pk}`);
    return [name, books];
  }

  apply({ versions, atMs }: Commit): void {
    for (const version of versions) this.applyVersion(version, atMs);
  }

  private applyVersion(version: RowVersion, atMs: number): void {
    const [, books] = this.walletOf(version);
    const id = version.pk.split('#')[2] ?? '';
    if (version.table === 'VerificationLogs') {
      applyLog(books, version);
      return;
    }
    if (version.sk === 'WALLET') replace(books.shards, Number(id), version.row && shardOf(version.row));
    if (version.sk === 'CHARGE') replace(books.charges, id, version.row);
    if (version.sk === 'CREDIT') replace(books.credits, id, version.row);
    if (version.sk === 'IDEMPOTENCY' && version.row) note(books, id, version.row, atMs);
  }
}

function applyLog(books: WalletBooks, { sk, pk, row }: RowVersion): void {
  const others = (books.logs.get(sk) ?? []).filter((log) => log['pk'] !== pk);
  if (row) others.push(row);
  books.logs.set(sk, others);
}

/** A key lives 30 days from its last attempt; after that it may begin anew. */
const KEY_LIFE_MS = 30 * 24 * 3600_000;

function note(books: WalletBooks, id: string, row: JsonRow, atMs: number): void {
  const chains = books.attempts.get(id) ?? [];
  const operationId = text(row, 'operationId');
  const last = chains.at(-1);
  if (!last || (atMs >= last.beganMs + KEY_LIFE_MS && !last.operationIds.includes(operationId)))
    chains.push({ beganMs: atMs, operationIds: [operationId] });
  else if (last.operationIds.at(-1) !== operationId) {
    last.operationIds.push(operationId);
    last.beganMs = atMs;
  }
  books.attempts.set(id, chains);
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
  return { available: number(row, 'available'), credited: number(row, 'credited'), holds };
}

/** A number that a row must have. */
export function number(row: JsonRow, name: string): number {
  const value = row[name];
  if (typeof value !== 'number') throw new Error(`A row has no number ${name}.`);
  return value;
}

/** A text that a row must have. */
export function text(row: JsonRow, name: string): string {
  const value = row[name];
  if (typeof value !== 'string') throw new Error(`A row has no text ${name}.`);
  return value;
}
