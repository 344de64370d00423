import { existsSync, readFileSync } from 'node:fs';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { readApiKeyText } from '../../shared/accounts/api-key.ts';
import { type ApiKeyTable, apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { createApiKey } from '../../shared/accounts/manage-api-key.ts';
import {
  approved,
  changeOrganisation,
  createOrganisation,
  withServices,
} from '../../shared/accounts/manage-organisation.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import type { Environment } from '../../shared/core/environment.ts';
import { REAL_TOOLS } from '../../shared/ledger/dependencies.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { creditWithLot } from '../../shared/payments/credit-with-lot.ts';
import { lotTable } from '../../shared/payments/lot-table.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';

/** The demo organisation of the local runtime. It is created with the use cases that the operator's CLI uses. */

const credentialsShape = v.object({
  organisation: v.string(),
  live: v.object({ apiKey: v.string() }),
  test: v.object({ apiKey: v.string() }),
});

/** The demo organisation and its keys, as in `credentials.json`. */
export type DemoCredentials = v.InferOutput<typeof credentialsShape>;

/** Credits in each of its two wallets. */
const CREDITS = 1_000;
/** High enough for any test on one machine (decision F1). */
const RATE_LIMIT = { perSecond: 10_000, burst: 10_000 };

/**
 * Creates the demo organisation: approved, with every service enabled and with credits. If the keys in `savedFile` are
 * still active, returns them instead and changes nothing. `settings` contains the names of the tables.
 */
export async function createDemoOrganisation(
  client: DynamoDBClient,
  settings: Readonly<Record<string, string>>,
  savedFile?: string,
): Promise<DemoCredentials> {
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const keysTable = tableIn(settings, 'API_KEYS_TABLE');
  const walletsTable = tableIn(settings, 'WALLETS_TABLE');
  const paymentsTable = tableIn(settings, 'PAYMENTS_TABLE');
  const keys = apiKeyTable(documents, keysTable);
  const organisations = organisationTable(documents, keysTable);
  const wallets = {
    credits: creditTable(documents, { wallets: walletsTable, payments: paymentsTable }),
    shards: shardTable(documents, walletsTable),
    lots: lotTable(documents, paymentsTable),
  };
  const saved = await activeCredentials(keys, savedFile);
  if (saved) return saved;

  const now = new Date();
  const { id: organisationId } = await createOrganisation(organisations, 'Demo Organisation', now);
  await changeOrganisation(organisations, organisationId, (row) => ({
    ...withServices(approved(row), SERVICE_NAMES),
    rateLimit: RATE_LIMIT,
  }));
  const createWalletAndKey = async (env: Environment) => {
    const wallet = { env, organisationId };
    await wallets.shards.createShard(wallet, 0);
    const order = {
      reference: `demo-${organisationId}`,
      kind: 'TOP_UP',
      amount: CREDITS,
      actor: 'local',
      reason: 'demo',
    } as const;
    await creditWithLot(wallet, 1, order, wallets, REAL_TOOLS);
    const { text } = await createApiKey(keys, { organisationId, env, label: 'demo' }, now);
    return { apiKey: text };
  };
  const [live, test] = await Promise.all([createWalletAndKey('live'), createWalletAndKey('test')]);
  return { organisation: organisationId, live, test };
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
