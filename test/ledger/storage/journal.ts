import type { Commit, Json, JsonRow, RowVersion } from '../checker/evidence.ts';
import type { World } from '../simulation/world.ts';
import type { RowChange } from './memory-store.ts';

export const WALLETS = 'Wallets';
export const LOGS = 'VerificationLogs';
export const PAYMENTS = 'Payments';

/** Records every durable write in order, as plain JSON, like a change stream of the tables. */
export class Journal {
  readonly commits: Commit[] = [];
  private readonly world: World;
  private readonly current = new Map<string, RowChange>();

  constructor(world: World) {
    this.world = world;
  }

  get length(): number {
    return this.commits.length;
  }

  rows(): RowChange[] {
    return [...this.current.values()];
  }

  add(
    changes: readonly RowChange[],
    {
      isExpiry = false,
      isUnconditional = false,
      begunMs,
    }: { isExpiry?: boolean; isUnconditional?: boolean; begunMs?: number | undefined } = {},
  ): void {
    if (changes.length === 0) return;
    const versions = changes.map(
      ({ tableName, pk, sk, row }): RowVersion => ({
        table: tableName.endsWith(LOGS) ? 'VerificationLogs' : 'Wallets',
        pk,
        sk,
        row: row && (plain(row) as JsonRow),
      }),
    );
    for (const change of changes) {
      const key = `${change.tableName}\n${change.pk}\n${change.sk}`;
      if (change.row) this.current.set(key, change);
      else this.current.delete(key);
    }
    this.commits.push({
      atMs: this.world.nowMs,
      versions,
      isExpiry,
      isUnconditional,
      ...(begunMs !== undefined && { begunMs }),
    });
  }
}

/** Converts a row to JSON. Sets become sorted arrays. */
export function plain(value: unknown): Json {
  if (value instanceof Set) return [...value].map(String).sort();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null)
    // The SDK leaves undefined values out.
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, part]) => (part === undefined ? [] : [[name, plain(part)]])),
    );
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new Error(`A row contains a value of type ${typeof value}.`);
}
