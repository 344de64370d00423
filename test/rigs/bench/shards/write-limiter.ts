import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ServiceInputTypes,
  type ServiceOutputTypes,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { FinalizeRequestMiddleware, InitializeMiddleware } from '@smithy/types';
import { networkError } from '../../../ledger/simulation/network.ts';
import { type CommandInput, traitsOf } from '../../../ledger/storage/database.ts';

/**
 * What DynamoDB does to a hot item and DynamoDB Local does not, in the SDK's middleware stack: each item takes so many
 * write units a second (one for each KB of the item that is written, two in a transaction) and the next write waits;
 * and a plain write and a transaction that meet on an item refuse one another.
 */

interface Item {
  readonly isShard: boolean;
  /** When it can take the next write. */
  freeAtMs: number;
  /** The writes that wait their turn. */
  queue: Promise<void>;
  bytes: number;
  busy: 'write' | 'transaction' | undefined;
}

const UNIT_BYTES = 1024;

export class WriteLimiter {
  conflicts = 0;
  /** Writes of wallet shards, and the units that they took: all other items are written once. */
  writes = 0;
  units = 0;
  readonly #unitsPerSecond: number;
  readonly #items = new Map<string, Item>();

  constructor(unitsPerSecond: number) {
    this.#unitsPerSecond = unitsPerSecond;
  }

  limit({ middlewareStack: stack }: DynamoDBDocumentClient): void {
    const pass: FinalizeRequestMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => (args) =>
      this.#pass(args.input as CommandInput, () => next(args));
    stack.add(pass, { name: 'write-limiter', step: 'finalizeRequest', priority: 'low' });
    // An update tells the whole row that it made: its size is what counts.
    const ask: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => (args) =>
      next(
        'UpdateExpression' in args.input
          ? { ...args, input: { ...args.input, ReturnValues: 'ALL_NEW' } }
          : args,
      );
    stack.add(ask, { name: 'ask-for-row', step: 'initialize' });
  }

  #pass<T extends { output: unknown }>(input: CommandInput, send: () => Promise<T>): Promise<T> {
    const { isWrite, isTransaction, keys } = traitsOf(input);
    if (!isWrite) return send();
    const items = keys.map(({ tableName, pk, sk }) =>
      this.#item(`${tableName} ${pk} ${sk}`, sk === 'WALLET'),
    );
    if (isTransaction) return this.#transact(items, send);
    const [item] = items;
    return item ? this.#write(item, input, send) : send();
  }

  #item(key: string, isShard: boolean): Item {
    const item = this.#items.get(key) ?? {
      ...{ isShard, freeAtMs: 0, queue: Promise.resolve(), bytes: 0, busy: undefined },
    };
    this.#items.set(key, item);
    return item;
  }

  /** One after another, each when the units of the one before are used up. */
  async #write<T extends { output: unknown }>(
    item: Item,
    { Item: row }: CommandInput,
    send: () => Promise<T>,
  ): Promise<T> {
    const before = item.queue;
    const turn = Promise.withResolvers<void>();
    item.queue = turn.promise;
    await before;
    try {
      await sleep(Math.max(0, item.freeAtMs - performance.now()));
      if (item.busy === 'transaction') throw this.#conflict();
      item.busy = 'write';
      const answer = await send();
      const written = row ?? (answer.output as { readonly Attributes?: unknown }).Attributes;
      item.bytes = sizeOf(written);
      return answer;
    } finally {
      if (item.busy === 'write') item.busy = undefined;
      // A write whose condition fails costs as much.
      this.#charge(item, 1);
      turn.resolve();
    }
  }

  async #transact<T>(items: readonly Item[], send: () => Promise<T>): Promise<T> {
    if (items.some(({ busy }) => busy !== undefined)) {
      this.#conflict();
      throw new TransactionCanceledException({
        message: 'cancelled',
        $metadata: {},
        CancellationReasons: items.map(({ busy }) => ({ Code: busy ? 'TransactionConflict' : 'None' })),
      });
    }
    for (const item of items) item.busy = 'transaction';
    try {
      return await send();
    } finally {
      for (const item of items) {
        item.busy = undefined;
        this.#charge(item, 2);
      }
    }
  }

  #charge(item: Item, factor: number): void {
    const units = Math.max(1, Math.ceil(item.bytes / UNIT_BYTES)) * factor;
    item.freeAtMs = Math.max(performance.now(), item.freeAtMs) + (units * 1000) / this.#unitsPerSecond;
    if (!item.isShard) return;
    this.writes += 1;
    this.units += units;
  }

  #conflict(): Error {
    this.conflicts += 1;
    return networkError('TransactionConflictException');
  }
}

/** Bytes of a value as DynamoDB counts them, near enough: names and texts whole, numbers half their digits. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 1 + Math.ceil(String(value).length / 2);
  if (typeof value !== 'object' || value === null) return 1;
  const parts = Object.entries(value).map(([name, part]) => Buffer.byteLength(name) + 1 + sizeOf(part));
  return 3 + parts.reduce((sum, bytes) => sum + bytes, 0);
}
