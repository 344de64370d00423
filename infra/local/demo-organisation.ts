import { existsSync, readFileSync } from 'node:fs';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { readApiKeyText } from '../../shared/accounts/api-key.ts';
import { apiKeyTable } from '../../shared/accounts/api-key-table.ts';
import { ALL_SCOPES } from '../../shared/accounts/key-limits.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import type { ActionName } from '../../shared/operators/actions.ts';
import type { Deployment } from '../../shared/operators/deployment.ts';
import { operator } from '../../shared/operators/operator.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import { local } from '../stages/local.ts';
import { createDemoTeam, recorderAt } from './demo-team.ts';
import { createDemoTraffic, demoTrafficStartMs } from './demo-traffic.ts';

const credentialsShape = v.object({
  organisation: v.string(),
  live: v.object({ apiKey: v.string() }),
  test: v.object({ apiKey: v.string() }),
});

/** As in `credentials.json`. */
export type DemoCredentials = v.InferOutput<typeof credentialsShape>;

const ACTOR = 'local';
const PRICE = { organisationId: undefined, koboPerCredit: 5_000, from: undefined, reason: 'demo' };
/** In each wallet. */
const CREDITS = 1_000;
/** For any test on one machine (contract F1). */
const RATE_LIMIT = { perSecond: 10_000, burst: 10_000 };

/** The buyer on the organisation's invoices. */
const BUYER = {
  name: 'Demo Organisation Ltd',
  address: ['2 Example Street', 'Ikeja', 'Lagos'],
  taxNumber: '00000000-0002',
  email: 'accounts@example.com',
};

const NAME = 'Demo Organisation';

/** Approved, with every service, credits and members, as of `since`. */
export async function createDemoOrganisation(
  client: DynamoDBClient,
  settings: Readonly<Record<string, string>>,
  since = new Date(),
): Promise<DemoCredentials> {
  const credentials = await createSuppliedOrganisation(client, settings, NAME, since);
  const { client: documents, tables } = deploymentOf(client, settings);
  const organisation = { id: credentials.organisation, name: NAME };
  await createDemoTeam(documents, tables, organisation, since.getTime());
  return credentials;
}

/** As it was a few weeks ago, and its traffic since then. */
export async function createBusyDemoOrganisation(
  client: DynamoDBClient,
  settings: Readonly<Record<string, string>>,
): Promise<DemoCredentials> {
  const nowMs = Date.now();
  const fromMs = demoTrafficStartMs(nowMs);
  const credentials = await createDemoOrganisation(client, settings, new Date(fromMs));
  const { client: documents, tables } = deploymentOf(client, settings);
  await createDemoTraffic(documents, tables, credentials.organisation, { fromMs, nowMs });
  return credentials;
}

const documentClient = (client: DynamoDBClient) =>
  DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

/** Approved, without members, with every service, credits and two keys. */
export async function createSuppliedOrganisation(
  client: DynamoDBClient,
  settings: Readonly<Record<string, string>>,
  name: string,
  since: Date,
): Promise<DemoCredentials> {
  const deployment = deploymentOf(client, settings);
  const nowMs = since.getTime();
  // The control of money compares rows with the audit trail.
  const as = (action: ActionName) => {
    const recorder = recorderAt(deployment.client, deployment.tables.auditTrail, action, undefined, nowMs);
    return operator(deployment, { clock: { ...REAL_CLOCK, nowMs: () => nowMs }, recorder });
  };
  const { id: organisationId } = await as('org create').createOrganisation(name);
  await as('org approve').approve(organisationId);
  await as('service enable').enableServices(organisationId, SERVICE_NAMES, 'a demo, without live registries');
  await as('org set-rate').setRate(organisationId, RATE_LIMIT);
  const prices = as('price set');
  if ((await prices.priceLists(undefined)).stage.length === 0) await prices.setCreditPrice(PRICE, ACTOR);
  await as('billing set').setBilling(organisationId, BUYER, ACTOR);
  const order = { reference: `demo-${organisationId}`, reason: 'demo' };
  // As on AWS.
  const live = { env: 'live', organisationId } as const;
  const transfer = as('wallet top-up');
  const { totalKobo } = await transfer.quote(live, CREDITS);
  await transfer.creditTransfer({ ...order, wallet: live, credits: CREDITS, totalKobo }, ACTOR);
  const test = { env: 'test', organisationId } as const;
  await as('wallet top-up').topUp(test, { ...order, amount: CREDITS, actor: ACTOR });
  // A key without a list could not start payments.
  const key = { label: 'demo', scopes: [...ALL_SCOPES] };
  return {
    organisation: organisationId,
    live: { apiKey: (await as('key create').createKey({ ...live, ...key })).text },
    test: { apiKey: (await as('key create').createKey({ ...test, ...key })).text },
  };
}

/** Without secrets and the archive. */
function deploymentOf(client: DynamoDBClient, settings: Readonly<Record<string, string>>): Deployment {
  const noSecrets = () => {
    throw new Error('The demo organisation needs no secrets.');
  };
  return {
    client: documentClient(client),
    tables: {
      apiKeys: tableIn(settings, 'API_KEYS_TABLE'),
      wallets: tableIn(settings, 'WALLETS_TABLE'),
      verificationLogs: tableIn(settings, 'VERIFICATION_LOGS_TABLE'),
      auditTrail: tableIn(settings, 'AUDIT_TRAIL_TABLE'),
      approvals: settings['APPROVALS_TABLE'] ?? '',
      payments: tableIn(settings, 'PAYMENTS_TABLE'),
      console: tableIn(settings, 'CONSOLE_TABLE'),
    },
    secondPersonAbove: undefined,
    logRetentionDays: local.verificationLogRetentionDays,
    money: local.money,
    isLocal: true,
    pepper: noSecrets,
    slipSecret: noSecrets,
    paymentProviders: noSecrets,
    registryCredentials: noSecrets,
    archive: () => undefined,
  };
}

/** Undefined if the file is missing or its keys are not active. */
export async function savedDemoOrganisation(
  client: DynamoDBClient,
  settings: Readonly<Record<string, string>>,
  file: string,
): Promise<DemoCredentials | undefined> {
  if (!existsSync(file)) return undefined;
  const credentials = v.parse(credentialsShape, JSON.parse(readFileSync(file, 'utf8')));
  const keys = apiKeyTable(documentClient(client), tableIn(settings, 'API_KEYS_TABLE'));
  const rows = await keys.listApiKeys(credentials.organisation);
  const isActive = ({ apiKey }: { apiKey: string }) =>
    rows.some(({ hash, status }) => hash === readApiKeyText(apiKey)?.hash && status === 'ACTIVE');
  return isActive(credentials.live) && isActive(credentials.test) ? credentials : undefined;
}

function tableIn(settings: Readonly<Record<string, string>>, name: string): string {
  const table = settings[name];
  if (!table) throw new Error(`No function in the templates has the variable ${name}.`);
  return table;
}
