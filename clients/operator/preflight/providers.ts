import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { stageFile } from '../../../infra/stages/pin.ts';
import { parseSecret } from '../../../shared/core/secrets.ts';
import { baseUrlOf, missingCredentials } from '../../../shared/registries/providers/access.ts';
import {
  displayNameOf,
  LIVE_PROVIDER_NAMES,
  type LiveProviderName,
} from '../../../shared/registries/providers/catalogue.ts';
import { endpointOf } from '../../../shared/registries/providers/make-provider.ts';
import { CallError, CLIENT_SETTINGS, call, failedCall } from './aws-call.ts';
import { codeOf } from './network.ts';
import { fault, notYet, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

const HTTPS_PORT = 443;

/** Returns the providers in the routing of the stage, which serve its live keys. */
function routedProviders({ config }: World): readonly LiveProviderName[] {
  const named = new Set<string>(Object.values(config.registries).flat());
  return LIVE_PROVIDER_NAMES.filter((name) => named.has(name));
}

/**
 * Checks, for each provider in the routing, that its secret contains the required credentials, and that this machine
 * can open a TLS connection to it. No value of a secret is printed, and no request is sent to a provider.
 */
export async function checkProviders(world: World): Promise<Row[]> {
  const { stage } = world.config;
  const providers = routedProviders(world);
  const rows = await Promise.all(providers.map((name) => checkProvider(name, world)));
  if (providers.length > 0) return rows.flat();
  const finding = 'registries names no provider: live look-ups return 503.';
  if (stage !== 'prod') return [ok('providers', finding)];
  return [
    fault(
      'providers',
      finding,
      `# Name the providers in registries of ${stageFile(stage)} (docs/registries.md), then deploy:`,
      `npm run deploy -- -c stage=${stage}`,
    ),
  ];
}

/** What is known about the secret of a provider. */
interface SecretCheck {
  readonly row: Row;
  /** The base URL that the secret selects. @default the provider's default */
  readonly base?: URL;
}

async function checkProvider(name: LiveProviderName, world: World): Promise<Row[]> {
  const { row, base } = await checkSecret(`secret ${name}`, name, world);
  return [row, await checkConnection(name, base ?? new URL(endpointOf(name).baseUrl), world)];
}

async function checkSecret(check: string, name: LiveProviderName, world: World): Promise<SecretCheck> {
  try {
    const arn = (await world.stacks.outputs('data'))?.[`Registry${name}Secret`];
    if (arn) return await inspect(check, name, arn, world);
    return {
      row: notYet(
        check,
        'The secret is not deployed yet.',
        `npm run deploy -- -c stage=${world.config.stage}`,
      ),
    };
  } catch (error) {
    if (error instanceof CallError) return { row: failedCall(check, error, world.config.stage) };
    throw error;
  }
}

async function inspect(
  check: string,
  name: LiveProviderName,
  arn: string,
  { region }: World,
): Promise<SecretCheck> {
  const problem = (finding: string) => ({
    row: fault(
      check,
      `${finding} Live look-ups skip the provider.`,
      `# Write the object to ${name}.json (docs/registries.md, "Put a provider into service"). Delete the file afterwards.`,
      `aws secretsmanager put-secret-value --secret-id ${arn} --secret-string file://${name}.json --region ${region}`,
    ),
  });
  const client = new SecretsManagerClient({ ...CLIENT_SETTINGS, region });
  const { SecretString } = await call('secretsmanager:GetSecretValue', () =>
    client.send(new GetSecretValueCommand({ SecretId: arn })),
  );
  const secret = readable(() => parseSecret(SecretString, 'The secret'));
  if (!secret) return problem('The secret is not a JSON object of strings.');
  const missing = missingCredentials(endpointOf(name), secret);
  if (missing.length > 0) return problem(`The secret lacks ${missing.join(' and ')}.`);
  const base = readable(() => baseUrlOf(endpointOf(name), secret, false));
  if (!base) return problem(`baseUrl in the secret is not a host of ${displayNameOf(name)}.`);
  return { row: ok(check, 'The secret contains the credentials that the provider requires.'), base };
}

/** Returns undefined if `read` throws. Drops the error, because the finding must not quote the secret. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Shows that the host exists and presents a valid certificate to this machine. It does not show that the provider
 * accepts the addresses of Lambda.
 */
async function checkConnection(name: LiveProviderName, { hostname }: URL, { network }: World): Promise<Row> {
  const check = `reach ${name}`;
  try {
    await network.connect(hostname, HTTPS_PORT);
    return ok(check, `This machine can connect to ${hostname} over TLS.`);
  } catch (error) {
    const reason = codeOf(error) ?? String(error);
    return fault(
      check,
      `This machine cannot connect to ${hostname} over TLS (${reason}). The functions use a different network, so repeat the check from another machine before you contact the provider.`,
      `openssl s_client -connect ${hostname}:${HTTPS_PORT} -servername ${hostname} </dev/null`,
    );
  }
}
