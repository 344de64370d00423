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
import { creditWallet } from '../../shared/ledger/top-up.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';

/** The demo organisation of the local runtime, made through the same use cases as the operator's command line. */

const credentialsShape = v.object({
  organisation: v.string(),
  live: v.object({ apiKey: v.string() }),
  test: v.object({ apiKey: v.string() }),
});

/** The demo organisation and its keys, as `credentials.json` holds them beside `baseUrl`. */
export type DemoCredentials = v.InferOutput<typeof credentialsShape>;

/** Credits of each of its two wallets. */
const CREDITS = 1_000;
/** Decision F1: enough for any test on one machine. */
const RATE_LIMIT = { perSecond: 10_000, burst: 10_000 };

/**
 * Makes the demo organisation: approved, every service enabled, with credits. If the keys in `earlierFile` still
 * work, the organisation they belong to is used again as it is. `settings` has the names of the tables.
 */
export async function seedDemo(
  client: DynamoDBClient,
  settings: Readonly<Record<string, string>>,
  earlierFile?: string,
): Promise<DemoCredentials> {
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const keysTable = tableIn(settings, 'API_KEYS_TABLE');
  const walletsTable = tableIn(settings, 'WALLETS_TABLE');
  const keys = apiKeyTable(documents, keysTable);
  const organisations = organisationTable(documents, keysTable);
  const wallets = {
    credits: creditTable(documents, walletsTable),
    shards: shardTable(documents, walletsTable),
  };
  const earlier = await workingCredentials(keys, earlierFile);
  if (earlier) return earlier;

  const now = new Date();
  const { id: organisationId } = await createOrganisation(organisations, 'Demo Organisation', now);
  await changeOrganisation(organisations, organisationId, (row) => ({
    ...withServices(approved(row), SERVICE_NAMES),
    rateLimit: RATE_LIMIT,
  }));
  const equip = async (env: Environment) => {
    const wallet = { env, organisationId };
    await wallets.shards.createShard(wallet, 0);
    const order = {
      reference: 'demo',
      kind: 'TOP_UP',
      amount: CREDITS,
      actor: 'local',
      reason: 'demo',
    } as const;
    await creditWallet(wallet, 1, order, wallets, REAL_TOOLS);
    const { text } = await createApiKey(keys, { organisationId, env, label: 'demo' }, now);
    return { apiKey: text };
  };
  const [live, test] = await Promise.all([equip('live'), equip('test')]);
  return { organisation: organisationId, live, test };
}

async function workingCredentials(table: ApiKeyTable, file?: string): Promise<DemoCredentials | undefined> {
  if (!file || !existsSync(file)) return undefined;
  const credentials = v.parse(credentialsShape, JSON.parse(readFileSync(file, 'utf8')));
  const rows = await table.listApiKeys(credentials.organisation);
  const works = ({ apiKey }: { apiKey: string }) =>
    rows.some(({ hash, status }) => hash === readApiKeyText(apiKey)?.hash && status === 'ACTIVE');
  return works(credentials.live) && works(credentials.test) ? credentials : undefined;
}

function tableIn(settings: Readonly<Record<string, string>>, name: string): string {
  const table = settings[name];
  if (!table) throw new Error(`No function of the templates has the variable ${name}.`);
  return table;
}
