import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { clientSettings, removeUnusedMiddleware } from './aws-client.ts';
import { secretArn } from './config.ts';
import { traceCalls } from './trace-client.ts';

/**
 * Secrets are fetched once per instance, and again after 5 minutes, so that a rotation needs no deployment.
 * A secret is a JSON object of strings. Signing and derivation keys have `current`, and `previous` after a rotation.
 */
export type Secret = Readonly<Record<string, string>>;

const MAX_AGE_MS = 5 * 60_000;
/** An instance refreshes a secret at most this often, however many requests ask for it. */
export const REFRESH_INTERVAL_MS = 1000;
const secretShape = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));
const cache = new Map<string, { readonly fetchedAt: number; readonly value: Promise<Secret> }>();
/** A call that gets no response must not use up the time of a request, nor stay in the cache for 5 minutes. */
const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true } as const;
let client: SecretsManagerClient | undefined;

/**
 * The secret whose ARN is in `<name>_SECRET`, for example `PEPPER` or `SANDBOX`.
 * Throws where the function has no such variable, the right is missing, or the value is no JSON object of strings.
 */
export function secret(name: string): Promise<Secret> {
  const cached = cache.get(name);
  if (cached && Date.now() - cached.fetchedAt < MAX_AGE_MS) return cached.value;
  const value = fetchSecret(name);
  cache.set(name, { fetchedAt: Date.now(), value });
  // A stale value is better than none: if the refresh fails, the old value is used until the next try.
  value.catch(() => (cached ? cache.set(name, { ...cached, fetchedAt: Date.now() }) : cache.delete(name)));
  return cached ? value.catch(() => cached.value) : value;
}

/**
 * Fetches the secret again, for a caller that found traces of a newer one: other instances may have seen a rotation up
 * to 5 minutes earlier. Returns undefined if it was fetched less than a second ago. Throws if it cannot be fetched now.
 */
export async function refreshSecret(name: string): Promise<Secret | undefined> {
  const cached = cache.get(name);
  if (cached && Date.now() - cached.fetchedAt < REFRESH_INTERVAL_MS) return undefined;
  const fetchedAt = Date.now();
  const value = await fetchSecret(name);
  cache.set(name, { fetchedAt, value: Promise.resolve(value) });
  return value;
}

async function fetchSecret(name: string): Promise<Secret> {
  const arn = secretArn(name);
  if (!arn) throw new Error(`${name}_SECRET is not set.`);
  const answer = await secretsManager().send(new GetSecretValueCommand({ SecretId: arn }));
  return parseSecret(answer.SecretString, `The secret ${name}`);
}

/**
 * Parses a secret. `source` names it in the error. Throws if it is not a JSON object of strings, without the parser's
 * issues, which quote the secret.
 */
export function parseSecret(text: string | undefined, source: string): Secret {
  const parsed = v.safeParse(secretShape, text);
  if (!parsed.success) throw new Error(`${source} is not a JSON object of strings.`);
  return parsed.output;
}

/** The client of this instance. */
export function secretsManager(): SecretsManagerClient {
  if (!client) {
    const settings = clientSettings('AWS_ENDPOINT_URL_SECRETS_MANAGER');
    client = new SecretsManagerClient({ ...settings, maxAttempts: 3, requestHandler: TIMEOUTS });
    removeUnusedMiddleware(client);
    client.middlewareStack.use(traceCalls('SecretsManager'));
  }
  return client;
}

/** The entry `current` of a secret. Throws if it is missing. */
export function currentPart(name: string, value: Secret): string {
  const current = value['current'];
  if (!current) throw new Error(`The secret ${name} has no key "current".`);
  return current;
}
