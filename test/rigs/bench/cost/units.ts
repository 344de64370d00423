import type { SentCall } from '../stage/wire.ts';

/**
 * Read and write units of requests by DynamoDB's rules (developer guide, "DynamoDB item sizes and formats" and "read
 * and write operations"), calculated from what was sent, not taken from an emulator.
 */
/** `{"pk": {"S": "..."}, ...}` */
export type EncodedItem = Readonly<Record<string, object>>;

const WRITE_UNIT_BYTES = 1024;
const READ_UNIT_BYTES = 4096;
/** Attributes that put an item into an index. Each index costs another write. */
const INDEX_KEYS = ['statementKey', 'walletsKey', 'requestKey', 'timeKey', 'referenceKey'];

export interface Units {
  readonly readUnits: number;
  readonly writeUnits: number;
}

/**
 * Returns an item's size in bytes. Names and strings are counted in UTF-8. A number takes a byte for every two digits,
 * plus 1. A map or list takes 3, plus 1 for each entry.
 */
export function itemBytes(item: EncodedItem): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

function valueBytes(encoded: object): number {
  const [[type, value] = ['NULL', true]] = Object.entries(encoded) as [string, unknown][];
  if (type === 'S') return Buffer.byteLength(String(value));
  if (type === 'N') return Math.ceil(String(value).replace(/[-.]|^0+|0+$/g, '').length / 2) + 1;
  if (type === 'M') {
    const entries = Object.keys(value as EncodedItem).length;
    return 3 + entries + itemBytes(value as EncodedItem);
  }
  if (type === 'L') return (value as object[]).reduce((sum, part) => sum + 1 + valueBytes(part), 3);
  if (type === 'BOOL' || type === 'NULL') return 1;
  throw new Error(`The service has no values of type ${type}.`);
}

/**
 * Returns the units of these calls. An update is counted as one unit: the items that the service updates stay within 1
 * KB, except for a wallet with many holds, which docs/operate/cost.md calculates separately.
 */
export function countUnits(calls: readonly SentCall[]): Units {
  return calls.map(unitsOf).reduce(
    (sum, one) => ({
      readUnits: sum.readUnits + one.readUnits,
      writeUnits: sum.writeUnits + one.writeUnits,
    }),
    { readUnits: 0, writeUnits: 0 },
  );
}

export function unitsOf({ operation, input, answer }: SentCall): Units {
  if (operation === 'PutItem') {
    const item = input['Item'] as EncodedItem;
    const copies = 1 + INDEX_KEYS.filter((name) => name in item).length;
    return { readUnits: 0, writeUnits: copies * Math.ceil(itemBytes(item) / WRITE_UNIT_BYTES) };
  }
  if (operation === 'UpdateItem') return { readUnits: 0, writeUnits: 1 };
  if (operation === 'BatchGetItem') {
    const asked = Object.values(input['RequestItems'] as Record<string, { Keys: unknown[] }>);
    const found = Object.values((answer['Responses'] ?? {}) as Record<string, EncodedItem[]>).flat();
    const keys = asked.reduce((sum, { Keys }) => sum + Keys.length, 0);
    // A key without an item also costs a unit.
    const missing = keys - found.length;
    return { readUnits: missing + found.reduce((sum, item) => sum + readUnits(item), 0), writeUnits: 0 };
  }
  if (operation === 'GetItem')
    return { readUnits: readUnits((answer['Item'] ?? {}) as EncodedItem), writeUnits: 0 };
  if (operation === 'Query') {
    const found = (answer['Items'] ?? []) as EncodedItem[];
    const bytes = found.reduce((sum, item) => sum + itemBytes(item), 0);
    return { readUnits: Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)), writeUnits: 0 };
  }
  if (operation === 'look-up') return { readUnits: 0, writeUnits: 0 };
  throw new Error(`No verification sends ${operation}.`);
}

function readUnits(item: EncodedItem): number {
  return Math.max(1, Math.ceil(itemBytes(item) / READ_UNIT_BYTES));
}
