import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { clientSettings, removeUnusedMiddleware } from './aws-client.ts';
import { secretArn, secretNames, setting } from './config.ts';
import { errorFields, logger } from './logger.ts';
import { publishMetrics } from './metrics.ts';
import { traceCalls } from './trace-client.ts';

/**
 * An instance caches the secrets that it fetches. After 5 minutes, the next request that needs a secret makes the
 * instance fetch it again in the background, so that a rotation needs no deployment and most requests do not wait.
 * After 15 minutes, the request waits for it; if that fails, the next one tries again without waiting.
 */

export type Secret = Readonly<Record<string, string>>;

const REFRESH_AFTER_MS = 5 * 60_000;
const MAX_AGE_MS = 15 * 60_000;
/** `refreshSecret` fetches a secret again only if it was last fetched at least this long ago. */
export const REFRESH_INTERVAL_MS = 1000;
const secretShape = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));
interface Known {
  readonly fetchedAt: number;
  /** When a refresh last failed. */
  readonly failedAt?: number;
  readonly value: Promise<Secret>;
}

const cache = new Map<string, Known>();
const refreshes = new Map<string, Promise<Secret>>();
/** A call that gets no response must not use up the time of a request, nor stay in the cache. */
const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true } as const;
let client: SecretsManagerClient | undefined;

/**
 * Returns the secret whose ARN is in the variable `<name>_SECRET`, for example `PEPPER` or `SANDBOX`. Throws if the
 * function has no such variable or no permission, or if the value is not a JSON object of strings.
 */
export function secret(name: string): Promise<Secret> {
  const known = cache.get(name);
  if (!known) return fetchFirst(name);
  const { fetchedAt, failedAt = fetchedAt, value } = known;
  const isExpired = Date.now() - fetchedAt >= MAX_AGE_MS;
  const isRecent = Date.now() - failedAt < REFRESH_AFTER_MS;
  if (isRecent && !isExpired) return value;
  const refreshed = refreshes.get(name) ?? refresh(name, known);
  return isExpired && !isRecent ? refreshed : value;
}

/**
 * Fetches all secrets that the function may read, at the same time, so that no request waits for them. If one cannot be
 * fetched, throws once all fetches have ended.
 */
export async function fetchSecrets(): Promise<void> {
  const fetched = await Promise.allSettled(secretNames().map(secret));
  const failed = fetched.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

function fetchFirst(name: string): Promise<Secret> {
  const value = fetchSecret(name);
  cache.set(name, { fetchedAt: Date.now(), value });
  value.catch(() => cache.delete(name));
  return value;
}

/** Never rejects: a stale value is better than none. */
function refresh(name: string, known: Known): Promise<Secret> {
  const fetchedAt = Date.now();
  const variable = `${name}_SECRET`;
  const refreshed = fetchSecret(name)
    .then(
      (value) => replace(name, known, { fetchedAt, value: Promise.resolve(value) }),
      (error) => {
        logger.warn('A secret was not refreshed.', { variable, ...errorFields(error) });
        publishMetrics({ values: { failedSecretRefreshes: 1 } });
        return replace(name, known, { ...known, failedAt: Date.now() });
      },
    )
    .finally(() => refreshes.delete(name));
  refreshes.set(name, refreshed);
  return refreshed;
}

/** Caches `next`, unless `refreshSecret` has fetched a newer value in the meantime. */
function replace(name: string, known: Known, next: Known): Promise<Secret> {
  const current = cache.get(name);
  if (current && current !== known) return current.value;
  cache.set(name, next);
  return next.value;
}

/**
 * Fetches the secret again, for a caller that found evidence of a newer one: other instances may have seen a rotation
 * up to 15 minutes earlier. Returns undefined if it was fetched less than a second ago. Throws if it cannot be
 * fetched now.
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
 * Parses a secret. `source` names it in the error. Throws if it is not a JSON object of strings. The error leaves out
 * the parser's issues, because they quote the secret.
 */
export function parseSecret(text: string | undefined, source: string): Secret {
  const parsed = v.safeParse(secretShape, text);
  if (!parsed.success) throw new Error(`${source} is not a JSON object of strings.`);
  return parsed.output;
}

/** Returns the client of this instance, which the first call creates. */
export function secretsManager(): SecretsManagerClient {
  if (!client) {
    const settings = clientSettings('AWS_ENDPOINT_URL_SECRETS_MANAGER');
    const region = setting('SECRETS_REGION') || settings.region;
    client = new SecretsManagerClient({ ...settings, region, maxAttempts: 3, requestHandler: TIMEOUTS });
    removeUnusedMiddleware(client);
    client.middlewareStack.use(traceCalls('SecretsManager'));
  }
  return client;
}

/** Returns all keys of a signing secret that are accepted: the current one and, after a rotation, the previous one. */
export function acceptedKeys(value: Secret): string[] {
  return [value['current'], value['previous']].filter((key) => key !== undefined);
}

/** Returns the entry `current` of a secret. Throws if it is missing. */
export function currentPart(name: string, value: Secret): string {
  const current = value['current'];
  if (!current) throw new Error(`The secret ${name} has no key "current".`);
  return current;
}
