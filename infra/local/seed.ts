import * as v from 'valibot';
import { readApiKeyText } from '../../shared/accounts/api-key.ts';
import { apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { createApiKey } from '../../shared/accounts/manage-api-key.ts';
import {
  approved,
  changeOrganisation,
  createOrganisation,
  withServices,
} from '../../shared/accounts/manage-organisation.ts';
import type { Environment } from '../../shared/accounts/organisation.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { setting } from '../../shared/core/config.ts';
import { connect } from '../../shared/core/database.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import { creditTable } from '../../shared/wallets/credit-table.ts';
import { REAL_TOOLS } from '../../shared/wallets/ledger.ts';
import { shardTable } from '../../shared/wallets/shard-table.ts';
import { creditWallet } from '../../shared/wallets/top-up-wallet.ts';
import { demoCredentialsShape } from './demo-credentials.ts';

/**
 * Makes the demo organisation of the local runtime, through the same use cases as the operator's command line.
 * A process of its own, so that its settings are the service's and not those of who starts it. Argument: the
 * credentials of an earlier run, as JSON; they are given back if their keys still work. Prints credentials.
 */

const CREDITS = 1_000;
/** Decision F1: enough for any test on one machine. */
const RATE_LIMIT = { perSecond: 10_000, burst: 10_000 };

const client = connect();
const organisations = organisationTable(client, setting('API_KEYS_TABLE'));
const apiKeys = apiKeyTable(client, setting('API_KEYS_TABLE'));
const wallets = {
  credits: creditTable(client, setting('WALLETS_TABLE')),
  shards: shardTable(client, setting('WALLETS_TABLE')),
};
const now = new Date();

async function stillWorks(text: string): Promise<boolean> {
  const read = readApiKeyText(text);
  const keys = read ? await apiKeys.listApiKeys(read.organisationId) : [];
  return keys.some((key) => key.hash === read?.hash && key.status === 'ACTIVE');
}

async function addEnvironment(organisationId: string, env: Environment): Promise<{ apiKey: string }> {
  const wallet = { env, organisationId };
  await wallets.shards.createShard(wallet, 0);
  const order = {
    reference: `demo-${env}`,
    kind: 'TOP_UP',
    amount: CREDITS,
    actor: 'local',
    reason: 'demo',
  } as const;
  await creditWallet(wallet, 1, order, wallets, REAL_TOOLS);
  const { text } = await createApiKey(apiKeys, { organisationId, env, label: 'demo' }, now);
  return { apiKey: text };
}

async function seed(): Promise<v.InferOutput<typeof demoCredentialsShape>> {
  const given = v.safeParse(demoCredentialsShape, JSON.parse(process.argv[2] ?? 'null'));
  if (
    given.success &&
    (await stillWorks(given.output.live.apiKey)) &&
    (await stillWorks(given.output.test.apiKey))
  ) {
    return given.output;
  }
  const { id } = await createOrganisation(organisations, 'Demo Organisation', now);
  await changeOrganisation(organisations, id, (row) => ({
    ...withServices(approved(row), SERVICE_NAMES),
    rateLimit: RATE_LIMIT,
  }));
  const [live, test] = await Promise.all([addEnvironment(id, 'live'), addEnvironment(id, 'test')]);
  return { organisation: id, live, test };
}

process.stdout.write(JSON.stringify(await seed()));
