import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type Bindings, holds, type Row, updated } from './expressions.ts';

/** One row after a write, or null if it was deleted. */
export interface RowChange {
  readonly tableName: string;
  readonly pk: string;
  readonly sk: string;
  readonly row: Row | null;
}

/** The input of a write or query, or an item of a transaction, as far as the store supports it. */
interface Write {
  readonly TableName?: string | undefined;
  readonly Key?: Row | undefined;
  readonly Item?: Row | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Record<string, string> | undefined;
  readonly ExpressionAttributeValues?: Record<string, unknown> | undefined;
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined;
}

type WriteKind = 'put' | 'delete' | 'check';

/** Tables in memory. Executes the commands of the real table modules under their conditions. */
export class MemoryStore {
  private readonly tables = new Map<string, Map<string, Row>>();
  private readonly partitions = new Map<string, Map<string, Set<string>>>();
  private readonly onCommit: (changes: RowChange[]) => void;

  constructor(onCommit: (changes: RowChange[]) => void) {
    this.onCommit = onCommit;
  }

  /** Applies one command atomically. Throws the same errors as the real table. */
  apply(command: unknown): Record<string, unknown> {
    if (command instanceof PutCommand || command instanceof UpdateCommand)
      return this.write(command.input as Write, 'put');
    if (command instanceof DeleteCommand) return this.write(command.input as Write, 'delete');
    if (command instanceof GetCommand)
      return this.found(this.row(command.input.TableName, command.input.Key));
    if (command instanceof TransactWriteCommand) return this.transact(command);
    if (command instanceof TransactGetCommand)
      return {
        Responses: (command.input.TransactItems ?? []).map(({ Get }) =>
          this.found(this.row(Get?.TableName, Get?.Key)),
        ),
      };
    if (command instanceof BatchGetCommand) return this.batch(command);
    if (command instanceof QueryCommand) return this.query(command);
    if (command instanceof ScanCommand) return this.scan(command);
    throw new Error('The store does not support this command.');
  }

  /** Deletes the rows that time to live would have deleted by `nowMs`, and returns them. */
  expire(nowMs: number): RowChange[] {
    const gone: RowChange[] = [];
    for (const [tableName, table] of this.tables)
      for (const [key, row] of table)
        if (Number(row['expiresAt']) * 1000 <= nowMs) {
          table.delete(key);
          gone.push({ tableName, pk: String(row['pk']), sk: String(row['sk']), row: null });
        }
    return gone;
  }

  private table(name = ''): Map<string, Row> {
    const table = this.tables.get(name) ?? new Map<string, Row>();
    this.tables.set(name, table);
    return table;
  }

  private row(tableName: string | undefined, key: Row | undefined): Row | undefined {
    return this.table(tableName).get(rowKey(key));
  }

  private found(row: Row | undefined): Record<string, unknown> {
    return row ? { Item: row } : {};
  }

  private write(input: Write, kind: WriteKind): Record<string, unknown> {
    const old = this.row(input.TableName, input.Item ?? input.Key);
    if (!isMet(input, old)) throw conditionFailure(input, old);
    const row = this.store(input, old, kind);
    this.onCommit([changeOf(input, row)]);
    return row ? { Attributes: row } : {};
  }

  private transact({ input }: TransactWriteCommand): Record<string, unknown> {
    const actions = (input.TransactItems ?? []).map(({ Put, Update, Delete, ConditionCheck }) => ({
      write: (Put ?? Update ?? Delete ?? ConditionCheck) as Write,
      kind: Delete ? ('delete' as const) : ConditionCheck ? ('check' as const) : ('put' as const),
    }));
    const oldRows = actions.map(({ write }) => this.row(write.TableName, write.Item ?? write.Key));
    const codes = actions.map(({ write }, index) =>
      isMet(write, oldRows[index]) ? 'None' : 'ConditionalCheckFailed',
    );
    if (codes.some((code) => code !== 'None'))
      throw new TransactionCanceledException({
        message: 'cancelled',
        $metadata: {},
        CancellationReasons: codes.map((Code) => ({ Code })),
      });
    this.onCommit(
      actions.flatMap(({ write, kind }, index) =>
        kind === 'check' ? [] : [changeOf(write, this.store(write, oldRows[index], kind))],
      ),
    );
    return {};
  }

  private store(input: Write, old: Row | undefined, kind: WriteKind): Row | null {
    if (kind === 'delete') {
      this.table(input.TableName).delete(rowKey(input.Key));
      return null;
    }
    const row = input.Item
      ? withoutUndefined(input.Item)
      : updated(input.UpdateExpression ?? '', old ?? input.Key ?? {}, bindingsOf(input));
    this.table(input.TableName).set(rowKey(row), row);
    for (const [name, partition] of this.partitions) {
      const [tableName, attribute = ''] = name.split(' ');
      if (tableName === input.TableName) addTo(partition, row[attribute], rowKey(row));
    }
    return row;
  }

  private batch({ input }: BatchGetCommand): Record<string, unknown> {
    const responses = Object.entries(input.RequestItems ?? {}).map(([tableName, { Keys = [] }]) => [
      tableName,
      Keys.flatMap((key) => this.row(tableName, key) ?? []),
    ]);
    return { Responses: Object.fromEntries(responses) };
  }

  private scan({ input }: ScanCommand): Record<string, unknown> {
    const { TableName, Segment = 0, TotalSegments = 1 } = input;
    const segmentOf = ({ pk }: Row) =>
      [...String(pk)].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 1_000_003, 7) %
      TotalSegments;
    return { Items: [...this.table(TableName).values()].filter((row) => segmentOf(row) === Segment) };
  }

  private query({ input }: QueryCommand): Record<string, unknown> {
    const { TableName, KeyConditionExpression = '', FilterExpression, ExclusiveStartKey: start } = input;
    const matches = (row: Row) =>
      holds(KeyConditionExpression, row, bindingsOf(input)) &&
      (FilterExpression === undefined || holds(FilterExpression, row, bindingsOf(input)));
    const found = this.candidates(TableName, KeyConditionExpression, input).filter(matches);
    const sort = SORTED_BY[input.IndexName ?? ''];
    if (sort) found.sort((a, b) => (String(a[sort]) < String(b[sort]) ? -1 : 1));
    if (input.ScanIndexForward === false) found.reverse();
    const first = start ? found.findIndex((row) => rowKey(row) === rowKey(start)) + 1 : 0;
    const page = found.slice(first, input.Limit === undefined ? undefined : first + input.Limit);
    const last = first + page.length < found.length ? page.at(-1) : undefined;
    const next = last && { LastEvaluatedKey: { pk: last['pk'], sk: last['sk'] } };
    return { Items: page, Count: page.length, ...next };
  }

  /**
   * Returns the rows with the partition key of a query. They are indexed, because some tests have thousands of wallets.
   */
  private candidates(tableName = '', condition: string, input: Write): Row[] {
    const [, key, name = ''] = /^(#?\w+) = (:\w+)/.exec(condition) ?? [];
    const table = this.table(tableName);
    if (key === undefined) return [...table.values()];
    const attribute = input.ExpressionAttributeNames?.[key] ?? key;
    const partition = this.partition(tableName, attribute).get(
      String(input.ExpressionAttributeValues?.[name]),
    );
    return [...(partition ?? [])].flatMap((key): Row[] => {
      const row = table.get(key);
      return row ? [row] : [];
    });
  }

  /** Returns row keys by the value of a partition key. Some may be outdated, so queries check the rows themselves. */
  private partition(tableName: string, attribute: string): Map<string, Set<string>> {
    const name = `${tableName} ${attribute}`;
    const known = this.partitions.get(name);
    if (known) return known;
    const partition = new Map<string, Set<string>>();
    this.partitions.set(name, partition);
    for (const [key, row] of this.table(tableName)) addTo(partition, row[attribute], key);
    return partition;
  }
}

function addTo(partition: Map<string, Set<string>>, value: unknown, key: string): void {
  if (value === undefined) return;
  const keys = partition.get(String(value)) ?? new Set();
  partition.set(String(value), keys.add(key));
}

/** The sort keys of indexes, and of tables under ''. Queries return rows in this order. */
const SORTED_BY: Readonly<Record<string, string>> = {
  '': 'sk',
  due: 'dueSort',
  orders: 'ordersSort',
  statement: 'statementSort',
  byTime: 'timeSort',
  byReference: 'timeSort',
};

const rowKey = (key: Row | undefined) => `${key?.['pk']}\n${key?.['sk']}`;

function bindingsOf(input: Write): Bindings {
  return { names: input.ExpressionAttributeNames ?? {}, values: input.ExpressionAttributeValues ?? {} };
}

function isMet(input: Write, old: Row | undefined): boolean {
  const { ConditionExpression: condition } = input;
  return condition === undefined || holds(condition, old ?? {}, bindingsOf(input));
}

function conditionFailure(input: Write, old: Row | undefined): Error {
  const isShown = old && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  return new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata: {},
    ...(isShown && { Item: marshall(old) }),
  });
}

function changeOf({ TableName = '', Item, Key }: Write, row: Row | null): RowChange {
  const { pk, sk } = (Item ?? Key ?? {}) as Row;
  return { tableName: TableName, pk: String(pk), sk: String(sk), row };
}

function withoutUndefined(item: Row): Row {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
}
