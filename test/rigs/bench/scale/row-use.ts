import { LISTED_ATTRIBUTES } from '../../../../shared/verifications/listed-log.ts';
import { type EncodedItem, itemBytes, unitsOf } from '../cost/units.ts';
import type { SentCall } from '../stage/wire.ts';
import { type Partition, type PartitionName, partitionOf } from './partitions.ts';

export interface RowUse {
  readonly partition: PartitionName;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** The size of the row that was put or read; 0 for an update or a missing row. */
  readonly bytes: number;
}

/**
 * The key attributes of the indexes that a put writes to, and the attributes that each contains if these are not all.
 * Without `byReference`, because the requests have no reference.
 */
const INDEXES = [
  { index: 'statement', key: 'statementKey' },
  { index: 'byRequest', key: 'requestKey' },
  { index: 'byTime', key: 'timeKey', attributes: [...LISTED_ATTRIBUTES, 'timeKey', 'timeSort', 'pk', 'sk'] },
] as const;

const textOf = (item: EncodedItem, name: string) => String((item[name] as { S?: string } | undefined)?.S);

export function rowUsesOf(calls: readonly SentCall[]): RowUse[] {
  const uses = calls.flatMap(usesOf);
  const names = [...new Set(uses.map(({ partition }) => partition))].sort();
  return names.map((name) => uses.filter(({ partition }) => partition === name).reduce(added));
}

function added(one: RowUse, other: RowUse): RowUse {
  return {
    partition: one.partition,
    readUnits: one.readUnits + other.readUnits,
    writeUnits: one.writeUnits + other.writeUnits,
    bytes: Math.max(one.bytes, other.bytes),
  };
}

function usesOf(call: SentCall): RowUse[] {
  const { operation, input } = call;
  if (operation === 'look-up') return [];
  if (operation === 'BatchGetItem') return readsOf(call);
  const table = String(input['TableName']);
  const item = (input['Item'] ?? input['Key']) as EncodedItem;
  if (operation === 'PutItem') return putsOf(table, item);
  const partition = nameOf(partitionOf(table, undefined, textOf(item, 'pk')));
  return [{ partition, ...unitsOf(call), bytes: 0 }];
}

function readsOf({ input, answer }: SentCall): RowUse[] {
  const asked = Object.entries(input['RequestItems'] as Record<string, { Keys: EncodedItem[] }>);
  const found = (answer['Responses'] ?? {}) as Record<string, EncodedItem[]>;
  return asked.flatMap(([table, { Keys }]) =>
    Keys.map((key) => {
      const row = found[table]?.find((item) =>
        ['pk', 'sk'].every((name) => textOf(item, name) === textOf(key, name)),
      );
      const bytes = row ? itemBytes(row) : 0;
      const partition = nameOf(partitionOf(table, undefined, textOf(key, 'pk')));
      return { partition, readUnits: Math.max(1, Math.ceil(bytes / 4096)), writeUnits: 0, bytes };
    }),
  );
}

/** Returns what a put uses. It writes the row to the table, and again to each of its indexes. */
function putsOf(table: string, item: EncodedItem): RowUse[] {
  const copies = INDEXES.filter(({ key }) => key in item).map(({ index, key, ...own }) => {
    const names: readonly string[] = 'attributes' in own ? own.attributes : Object.keys(item);
    const copy = Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
    return { partition: partitionOf(table, index, textOf(item, key)), bytes: itemBytes(copy) };
  });
  const row = { partition: partitionOf(table, undefined, textOf(item, 'pk')), bytes: itemBytes(item) };
  return [row, ...copies].map(({ partition, bytes }) => ({
    ...{ partition: nameOf(partition), readUnits: 0, writeUnits: Math.ceil(bytes / 1024), bytes },
  }));
}

const nameOf = ({ name }: Partition) => name as PartitionName;
