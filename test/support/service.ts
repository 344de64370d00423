import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { local } from '../../infra/stages/local.ts';
import { type ApiKey, newApiKeyText } from '../../shared/accounts/api-key.ts';
import { apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { createApiKey } from '../../shared/accounts/manage-api-key.ts';
import { changeOrganisation, createOrganisation } from '../../shared/accounts/manage-organisation.ts';
import type { Organisation, RateLimit } from '../../shared/accounts/organisation.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../shared/audit/recorder.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import { connect } from '../../shared/core/database.ts';
import type { Environment } from '../../shared/core/environment.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { apiKeyKey } from '../../shared/core/keys.ts';
import { type Balance, balanceOf } from '../../shared/ledger/rows/wallet.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { evenOut } from '../../shared/ledger/top-up.ts';
import type { Match } from '../../shared/matching/match.ts';
import { documentTable } from '../../shared/payments/documents/document-table.ts';
import { creditWithLot } from '../../shared/payments/lots/credit-with-lot.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import { creditTransfer, type PaidTransfer } from '../../shared/payments/orders/credit-transfer.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { billingTable } from '../../shared/payments/prices/billing-table.ts';
import { priceTable } from '../../shared/payments/prices/price-table.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import { recordCanaries } from './canaries.ts';
import { localService } from './local-service.ts';
import { linesSince } from './log-lines.ts';
import { validateExchange } from './openapi-validation.ts';

/** The running local service over HTTP, and operations that set up organisations in it. */

const running = await localService();
// DynamoDB Local responds slowly on a busy machine.
Object.assign(process.env, running.adminAwsEnvironment, { DATABASE_TIMEOUT_MS: '20000' });
export const { baseUrl, logFile, control } = running;
export const payments = required(running.payments);

const client = connect();
const apiKeysTable = running.adminAwsEnvironment['API_KEYS_TABLE'] ?? '';
const walletsTable = running.adminAwsEnvironment['WALLETS_TABLE'] ?? '';
const paymentsTable = running.adminAwsEnvironment['PAYMENTS_TABLE'] ?? '';
export const organisations = organisationTable(client, apiKeysTable);
export const apiKeys = apiKeyTable(client, apiKeysTable);
export const shards = shardTable(client, walletsTable);
const recorder = auditRecorder(
  auditTable(client, running.adminAwsEnvironment['AUDIT_TRAIL_TABLE'] ?? ''),
  { actor: 'test', action: 'price set', commandId: newOperationId() },
  REAL_CLOCK.nowMs,
);
export const paymentTables = {
  prices: priceTable(client, paymentsTable, recorder),
  billing: billingTable(client, paymentsTable),
  orders: orderTable(client, paymentsTable),
  documents: documentTable(client, paymentsTable),
  lots: lotTable(client, paymentsTable),
};
const credits = creditTable(client, { wallets: walletsTable, payments: paymentsTable });
const { lots } = paymentTables;

export interface OrganisationSetup {
  readonly status?: Organisation['status'];
  readonly services?: readonly string[];
  readonly prices?: Readonly<Record<string, number>>;
  readonly credits?: number;
  readonly rateLimit?: RateLimit;
  readonly walletShards?: number;
  /** The scopes of its keys. @default none, which allows everything except starting payments */
  readonly scopes?: readonly string[];
  /** Whether it has billing details, so that it can buy credits. @default false */
  readonly hasBilling?: boolean;
}

export interface TestOrganisation {
  readonly id: string;
  readonly live: string;
  readonly test: string;
  balance(env?: Environment): Promise<Balance>;
  change(change: (row: Organisation) => Organisation): Promise<Organisation>;
}

const FAST: RateLimit = { perSecond: 10_000, burst: 10_000 };

/** Creates an organisation with two keys and wallets. By default, it is approved, with every service and 10 credits. */
export async function organisation(setup: OrganisationSetup = {}): Promise<TestOrganisation> {
  const now = new Date();
  const { id } = await createOrganisation(organisations, 'Test Organisation', now);
  const names = setup.services ?? SERVICE_NAMES;
  const services = Object.fromEntries(names.map((name) => [name, {}]));
  const { status = 'APPROVED', rateLimit = FAST, walletShards = 1, credits: amount = 10, prices } = setup;
  const change: TestOrganisation['change'] = (edit) => changeOrganisation(organisations, id, edit);
  await change((row) => ({
    ...row,
    ...{ status, services, rateLimit, walletShards },
    ...(prices && { prices }),
  }));
  for (const env of ['live', 'test'] as const) await fill({ env, organisationId: id }, walletShards, amount);
  if (setup.hasBilling) await setBilling(id, now.toISOString());
  const limits = { label: 'test', ...(setup.scopes && { scopes: [...setup.scopes] }) };
  const live = await createApiKey(apiKeys, { organisationId: id, env: 'live', ...limits }, now);
  const test = await createApiKey(apiKeys, { organisationId: id, env: 'test', ...limits }, now);
  return {
    id,
    live: live.text,
    test: test.text,
    change,
    async balance(env = 'live') {
      const { walletShards: count } = await change((row) => row);
      const wallet = { env, organisationId: id };
      const shardRefs = Array.from({ length: count }, (_, shard) => ({ wallet, shard }));
      return balanceOf((await shards.getShards(shardRefs)).map(({ row }) => row));
    },
  };
}

/** Sets the expiry of a key, even to an invalid value. */
export async function endApiKey(key: ApiKey, notAfter: unknown): Promise<void> {
  await client.send(
    new UpdateCommand({
      TableName: apiKeysTable,
      Key: apiKeyKey(key.organisationId, key.hash),
      UpdateExpression: 'SET notAfter = :notAfter',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':notAfter': notAfter },
    }),
  );
}

async function setBilling(organisationId: string, now: string): Promise<void> {
  await paymentTables.billing.putBilling(organisationId, undefined, {
    name: 'Test Organisation Ltd',
    address: ['3 Example Street', 'Lagos'],
    taxNumber: '00000000-0003',
    email: 'accounts@example.com',
    changedAt: now,
    changedBy: 'test',
  });
  if ((await paymentTables.prices.listPrices(undefined)).length > 0) return;
  const price = { koboPerCredit: 5_000, from: now, actor: 'test', reason: 'test', createdAt: now };
  await paymentTables.prices.addPrice(undefined, price);
}

/** Credits a bank transfer, and writes its invoice and receipt, as `admin wallet top-up` does. */
export function transferCredits(transfer: PaidTransfer) {
  const { money } = local;
  if (!money) throw new Error('The local stage has no money settings.');
  return creditTransfer(transfer, {
    ...paymentTables,
    credits,
    shards,
    walletShards: async () => 1,
    settings: money,
    clock: REAL_CLOCK,
    actor: 'test',
    publishSoon: async () => undefined,
  });
}

async function fill(wallet: { env: Environment; organisationId: string }, count: number, amount: number) {
  for (let shard = 0; shard < count; shard += 1) await shards.createShard(wallet, shard);
  if (amount === 0) return;
  const reference = `test-${wallet.organisationId}`;
  const order = { reference, kind: 'TOP_UP', amount, actor: 'test', reason: 'test' } as const;
  await creditWithLot(wallet, count, order, { credits, shards, lots }, REAL_CLOCK);
  await evenOut(wallet, count, shards, REAL_CLOCK);
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The local service was started without payments.');
  return value;
}

/** Returns a well-formed key that is not in the table. */
export function unknownKey(organisationId: string): string {
  return newApiKeyText('live', organisationId);
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** The parsed body, or undefined if it is not JSON. */
  readonly json: Envelope | undefined;
}

export interface Envelope {
  readonly success: boolean;
  readonly code: string;
  readonly message: string;
  readonly verification_type: string;
  readonly summary: {
    readonly verified: boolean;
    readonly verification_type: string;
    readonly provider: string;
    readonly confidence_score: number;
  };
  readonly match?: Match;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly error?: { readonly reason: string; readonly field: string; readonly hint: string };
  readonly meta: { readonly request_id: string; readonly timestamp: string };
}

export interface Call {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/**
 * Posts a body: an object as JSON, and a string or bytes unchanged. Throws if the service does not respond as the
 * OpenAPI document describes.
 */
export async function post(path: string, body: unknown, call: Call = {}): Promise<ApiResponse> {
  const raw = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  recordCanaries(typeof body === 'string' ? parsed(body) : body);
  const response = await send(path, { method: 'POST', ...call, body: raw });
  recordCanaries(response.json?.data);
  return response;
}

export function get(path: string, call: Call = {}): Promise<ApiResponse> {
  return send(path, { method: 'GET', ...call });
}

async function send(
  path: string,
  { key, headers, method = 'GET', body }: Call & { readonly body?: string | Uint8Array },
): Promise<ApiResponse> {
  const fetched = await fetch(`${baseUrl}${path}`, {
    method,
    ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    redirect: 'manual',
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  const bytes = new Uint8Array(await fetched.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  const json = typeof body === 'string' ? parsed(body) : undefined;
  const isPlain = !headers && body === JSON.stringify(json);
  const request = { method, path, body: json, isPlain };
  const response = { status: fetched.status, headers: fetched.headers, text, bytes, json: parsed(text) };
  validateExchange(request, response);
  return response;
}

function parsed(text: string): Envelope | undefined {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return undefined;
  }
}

const linesWith = linesSince(logFile);
/** Returns the lines that functions have logged since the test file started and that contain this text. */
export function logLines(text: string): Readonly<Record<string, unknown>>[] {
  return linesWith(text).map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

export function registryCalls(requestId: string): number {
  return logLines(requestId).filter((line) => line['message'] === 'Sandbox look-up').length;
}

let generated = 0;
/** Generates a well-formed number that ends in `ending` and that no other test of this run uses. */
export function number(ending = '0001'): string {
  generated += 1;
  const others = 11 - ending.length;
  const unique = String(process.pid % 10_000).padStart(4, '0') + String(generated).padStart(3, '0');
  return unique.slice(-others).padStart(others, '7') + ending;
}

/** Reads a secret of the service with the operator's permissions. `name` is the prefix of its variable `*_SECRET`. */
export async function readSecret(name: string): Promise<Readonly<Record<string, string>>> {
  const command = new GetSecretValueCommand({ SecretId: process.env[`${name}_SECRET`] ?? '' });
  const { SecretString } = await new SecretsManagerClient().send(command);
  return JSON.parse(SecretString ?? '{}') as Record<string, string>;
}
