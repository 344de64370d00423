import type { ApiKey } from '../api-key.ts';
import type { KeyUsage } from '../key-usage.ts';
import type { KeyUsageTable } from '../key-usage-table.ts';

/** The maximum number of rows in one batch read of DynamoDB. */
const BATCH = 100;

/**
 * Reads the usage of these keys, by hash, in parallel calls. There may be many keys, because revoked keys are never
 * deleted.
 */
export async function readUseOfKeys(
  keys: readonly ApiKey[],
  table: Pick<KeyUsageTable, 'readKeyUsage'>,
  nowMs: number,
): Promise<ReadonlyMap<string, KeyUsage>> {
  const hashes = keys.map(({ hash }) => hash);
  const batches = Array.from({ length: Math.ceil(hashes.length / BATCH) }, (_, index) =>
    hashes.slice(index * BATCH, (index + 1) * BATCH),
  );
  const parts = await Promise.all(batches.map((batch) => table.readKeyUsage(batch, nowMs)));
  return new Map(parts.flatMap((part) => [...part]));
}
