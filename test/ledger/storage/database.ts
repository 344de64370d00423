import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LedgerTables } from '../../../shared/ledger/dependencies.ts';
import type { ErasureTable } from '../../../shared/ledger/erase.ts';
import { chargeTable } from '../../../shared/ledger/tables/charge-table.ts';
import { type CreditTable, creditTable } from '../../../shared/ledger/tables/credit-table.ts';
import { idempotencyTable } from '../../../shared/ledger/tables/idempotency-table.ts';
import { shardTable } from '../../../shared/ledger/tables/shard-table.ts';
import { walletTable } from '../../../shared/ledger/tables/wallet-table.ts';
import { erasureTable } from '../../../shared/verifications/erasure-table.ts';
import { logTable } from '../../../shared/verifications/log-table.ts';
import type { Network } from '../simulation/network.ts';
import type { Process } from '../simulation/process.ts';
import { type Journal, LOGS, PAYMENTS, WALLETS } from './journal.ts';

/** The ledger's tables as one process uses them: the real table modules over clients whose calls can fail. */
export type Tables = LedgerTables & { readonly credits: CreditTable; readonly erasures: ErasureTable };

export interface Database {
  tables(process: Process): Tables;
  /** Deletes the rows that time to live would delete by `nowMs`. */
  expire(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

export type OpenDatabase = (network: Network, journal: Journal) => Promise<Database>;

export function realTables(
  client: DynamoDBDocumentClient,
  onceClient: DynamoDBDocumentClient,
  prefix = '',
): Tables {
  const wallets = prefix + WALLETS;
  return {
    wallets: walletTable(client, onceClient, wallets),
    shards: shardTable(client, wallets),
    charges: chargeTable(client, onceClient, wallets),
    idempotency: idempotencyTable(client, wallets),
    log: logTable(client, onceClient, prefix + LOGS, 365),
    credits: creditTable(client, { wallets, payments: prefix + PAYMENTS }),
    erasures: erasureTable(client, prefix + LOGS, 365),
  };
}

/** Returns the properties of a command for the network. Accepts the input before and after the SDK has encoded it. */
export function traitsOf(input: CommandInput, isDelete = false) {
  const items = input.TransactItems ?? [];
  const writes = items.flatMap(({ Put, Update, Delete }) => Put ?? Update ?? Delete ?? []);
  if (input.Item || input.UpdateExpression !== undefined || isDelete) writes.push(input);
  const checks = items.flatMap(({ ConditionCheck }) => ConditionCheck ?? []);
  return {
    isWrite: writes.length > 0,
    table: tableOf(input),
    isTransaction: items.length > 0,
    items: Math.max(1, items.length),
    // Top-ups and transfers write shards in transactions; erasures and the sweeper write log rows in transactions.
    mayConflict:
      tableOf(input) === LOGS || ['WALLET', 'CREDIT'].includes(plainText((input.Item ?? input.Key)?.['sk'])),
    claimed: [...writes, ...checks].map(({ Item, Key }) =>
      [tableOf(input), plainText((Item ?? Key)?.['pk']), plainText((Item ?? Key)?.['sk'])].join(' '),
    ),
    isUnconditional: writes.some(({ ConditionExpression }) => !ConditionExpression),
    keys: writes.map(({ TableName = '', Item, Key }) => ({
      tableName: TableName,
      pk: plainText((Item ?? Key)?.['pk']),
      sk: plainText((Item ?? Key)?.['sk']),
    })),
  };
}

function tableOf({ TableName, TransactItems, RequestItems }: CommandInput): 'Wallets' | 'VerificationLogs' {
  const [first] = TransactItems ?? [];
  const name =
    TableName ??
    (first?.Put ?? first?.Update ?? first?.ConditionCheck ?? first?.Get)?.TableName ??
    Object.keys(RequestItems ?? {})[0];
  return name?.endsWith(LOGS) ? LOGS : WALLETS;
}

interface WriteInput {
  readonly TableName?: string;
  readonly Item?: Record<string, unknown>;
  readonly Key?: Record<string, unknown>;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
}
export interface CommandInput extends WriteInput {
  readonly TransactItems?: readonly {
    readonly Put?: WriteInput;
    readonly Update?: WriteInput;
    readonly Delete?: WriteInput;
    readonly ConditionCheck?: WriteInput;
    readonly Get?: WriteInput;
  }[];
  readonly RequestItems?: Readonly<Record<string, unknown>>;
}

function plainText(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'S' in value) return String(value.S);
  return String(value);
}
