import { existsSync, readFileSync } from 'node:fs';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { readApiKeyText } from '../../shared/accounts/api-key.ts';
import { type ApiKeyTable, apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { ALL_SCOPES } from '../../shared/accounts/key-limits.ts';
import { createApiKey } from '../../shared/accounts/manage-api-key.ts';
import {
  approved,
  changeOrganisation,
  createOrganisation,
  withServices,
} from '../../shared/accounts/manage-organisation.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import type { Environment } from '../../shared/core/environment.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { documentTable } from '../../shared/payments/documents/document-table.ts';
import { creditWithLot } from '../../shared/payments/lots/credit-with-lot.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import { creditTransfer } from '../../shared/payments/orders/credit-transfer.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { billingTable } from '../../shared/payments/prices/billing-table.ts';
import { priceTable } from '../../shared/payments/prices/price-table.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import { local } from '../stages/local.ts';
import { createDemoTeam } from './demo-team.ts';
import { demoPurchaseMs } from './demo-traffic.ts';

/** The demo organisation of the local runtime. It is created with the use cases that the operator's CLI uses. */

const credentialsShape = v.object({
  organisation: v.string(),
  live: v.object({ apiKey: v.string() }),
  test: v.object({ apiKey: v.string() }),
});

/** The demo organisation and its keys, as in `credentials.json`. */
export type DemoCredentials = v.InferOutput<typeof credentialsShape>;

const ACTOR = 'local';
/** The price of one credit, in kobo without VAT. */
const KOBO_PER_CREDIT = 5_000;
/** Credits in each of the organisation's two wallets. */
const CREDITS = 1_000;
/** High enough for any test on one machine (contract F1). */
const RATE_LIMIT = { perSecond: 10_000, burst: 10_000 };

/** The buyer on the organisation's invoices. */
const BUYER = {
  name: 'Demo Organisation Ltd',
  address: ['2 Example Street', 'Ikeja', 'Lagos'],
  taxNumber: '00000000-0002',
  email: 'accounts@example.com',
};

const NAME = 'Demo Organisation';

/**
 * Creates the demo organisation: approved, with every service enabled, with credits and members. `since` is the time
 * of its creation. If the keys in `savedFile` are still active, returns them instead and changes nothing. `settings`
 * contains the names of the tables.
 */
export async function createDemoOrganisation(
  client: DynamoDBClient,
  settings: Readonly<Record<string, string>>,
  savedFile?: string,
  since = new Date(),
): Promise<DemoCredentials> {
  const documents = documentClient(client);
  const apiKeys = tableIn(settings, 'API_KEYS_TABLE');
  const saved = await activeCredentials(apiKeyTable(documents, apiKeys), savedFile);
  if (saved) return saved;

  const credentials = await createSuppliedOrganisation(client, settings, NAME, since);
  const team = {
    apiKeys,
    console: tableIn(settings, 'CONSOLE_TABLE'),
    auditTrail: tableIn(settings, 'AUDIT_TRAIL_TABLE'),
  };
  await createDemoTeam(documents, team, { id: credentials.organisation, name: NAME }, since.getTime());
  return credentials;
}

const documentClient = (client: DynamoDBClient) =>
  DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

/** Creates an approved organisation without members, with every service enabled, with credits, and with two keys. */
export async function createSuppliedOrganisation(
  client: DynamoDBClient,
  settings: Readonly<Record<string, string>>,
  name: string,
  since: Date,
): Promise<DemoCredentials> {
  const documents = documentClient(client);
  const keysTable = tableIn(settings, 'API_KEYS_TABLE');
  const keys = apiKeyTable(documents, keysTable);
  const organisations = organisationTable(documents, keysTable);
  const now = new Date();
  const boughtAtMs = Math.max(since.getTime(), demoPurchaseMs(now.getTime()));
  const payments = paymentDependencies(documents, settings, boughtAtMs);
  const { id: organisationId } = await createOrganisation(organisations, name, since);
  await changeOrganisation(organisations, organisationId, (row) => ({
    ...withServices(approved(row), SERVICE_NAMES),
    rateLimit: RATE_LIMIT,
  }));
  await setPriceAndBilling(payments, organisationId, new Date(boughtAtMs).toISOString());
  const createWalletAndKey = async (env: Environment) => {
    const wallet = { env, organisationId };
    await payments.shards.createShard(wallet, 0);
    const order = { reference: `demo-${organisationId}`, actor: ACTOR, reason: 'demo' };
    // As on AWS, live credits are paid for, and test credits are free.
    if (env === 'live') await creditTransfer({ ...order, wallet, credits: CREDITS }, payments);
    else
      await creditWithLot(wallet, 1, { ...order, kind: 'TOP_UP', amount: CREDITS }, payments, payments.clock);
    // All scopes by name, because a key without a list could not start payments.
    const key = { organisationId, env, label: 'demo', scopes: [...ALL_SCOPES] };
    const { text } = await createApiKey(keys, key, now);
    return { apiKey: text };
  };
  const [live, test] = await Promise.all([createWalletAndKey('live'), createWalletAndKey('test')]);
  return { organisation: organisationId, live, test };
}

/** Returns the dependencies of a purchase of credits at this time. */
function paymentDependencies(
  client: DynamoDBDocumentClient,
  settings: Readonly<Record<string, string>>,
  atMs: number,
) {
  const wallets = tableIn(settings, 'WALLETS_TABLE');
  const payments = tableIn(settings, 'PAYMENTS_TABLE');
  if (!local.money) throw new Error('The local stage has no money settings.');
  return {
    credits: creditTable(client, { wallets, payments }),
    shards: shardTable(client, wallets),
    lots: lotTable(client, payments),
    orders: orderTable(client, payments),
    documents: documentTable(client, payments),
    prices: priceTable(client, payments),
    billing: billingTable(client, payments),
    walletShards: async () => 1,
    settings: local.money,
    clock: { ...REAL_CLOCK, nowMs: () => atMs },
    actor: ACTOR,
  };
}

/** Stores the buyer, and the stage's price unless the stage already has one. */
async function setPriceAndBilling(
  { prices, billing }: ReturnType<typeof paymentDependencies>,
  organisationId: string,
  at: string,
): Promise<void> {
  if ((await prices.listPrices(undefined)).length === 0) {
    const price = { koboPerCredit: KOBO_PER_CREDIT, from: at, actor: ACTOR, reason: 'demo', createdAt: at };
    await prices.addPrice(undefined, price);
  }
  await billing.putBilling(organisationId, undefined, { ...BUYER, changedAt: at, changedBy: ACTOR });
}

async function activeCredentials(table: ApiKeyTable, file?: string): Promise<DemoCredentials | undefined> {
  if (!file || !existsSync(file)) return undefined;
  const credentials = v.parse(credentialsShape, JSON.parse(readFileSync(file, 'utf8')));
  const rows = await table.listApiKeys(credentials.organisation);
  const isActive = ({ apiKey }: { apiKey: string }) =>
    rows.some(({ hash, status }) => hash === readApiKeyText(apiKey)?.hash && status === 'ACTIVE');
  return isActive(credentials.live) && isActive(credentials.test) ? credentials : undefined;
}

function tableIn(settings: Readonly<Record<string, string>>, name: string): string {
  const table = settings[name];
  if (!table) throw new Error(`No function in the templates has the variable ${name}.`);
  return table;
}
