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
import { fault, notYet, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

function routedProviders({ config }: World): readonly LiveProviderName[] {
  const named = new Set<string>(Object.values(config.registries).flat());
  return LIVE_PROVIDER_NAMES.filter((name) => named.has(name));
}

/**
 * Checks that the secret of each provider in the routing contains the required credentials. No value of a secret is
 * printed, and no request is sent to a provider.
 */
export async function checkProviders(world: World): Promise<Row[]> {
  const { stage } = world.config;
  const providers = routedProviders(world);
  if (providers.length > 0) return Promise.all(providers.map((name) => checkSecret(name, world)));
  const finding = 'registries names no provider: live look-ups return 503.';
  if (stage !== 'prod') return [ok('providers', finding)];
  return [
    fault(
      'providers',
      finding,
      `# Name the providers in registries of ${stageFile(stage)} (docs/operate/registries.md), then deploy:`,
      `npm run deploy -- -c stage=${stage}`,
    ),
  ];
}

async function checkSecret(name: LiveProviderName, world: World): Promise<Row> {
  const check = `secret ${name}`;
  const { stage } = world.config;
  try {
    const arn = (await world.stacks.outputs('data'))?.[`Registry${name}Secret`];
    if (arn) return await inspect(check, name, arn, world);
    return notYet(check, 'The secret is not deployed yet.', `npm run deploy -- -c stage=${stage}`);
  } catch (error) {
    if (error instanceof CallError) return failedCall(check, error, stage);
    throw error;
  }
}

async function inspect(check: string, name: LiveProviderName, arn: string, { region }: World): Promise<Row> {
  const problem = (finding: string) =>
    fault(
      check,
      `${finding} Live look-ups skip the provider.`,
      `# Write the object to ${name}.json (docs/operate/registries.md, "Put a provider into service"). Delete the file afterwards.`,
      `aws secretsmanager put-secret-value --secret-id ${arn} --secret-string file://${name}.json --region ${region}`,
    );
  const client = new SecretsManagerClient({ ...CLIENT_SETTINGS, region });
  const { SecretString } = await call('secretsmanager:GetSecretValue', () =>
    client.send(new GetSecretValueCommand({ SecretId: arn })),
  );
  const secret = readable(() => parseSecret(SecretString, 'The secret'));
  if (!secret) return problem('The secret is not a JSON object of strings.');
  const missing = missingCredentials(endpointOf(name), secret);
  if (missing.length > 0) return problem(`The secret lacks ${missing.join(' and ')}.`);
  if (!readable(() => baseUrlOf(endpointOf(name), secret, false)))
    return problem(`baseUrl in the secret is not a host of ${displayNameOf(name)}.`);
  return ok(check, 'The secret contains the credentials that the provider requires.');
}

/** Returns undefined if `read` throws. Drops the error, because the finding must not quote the secret. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
