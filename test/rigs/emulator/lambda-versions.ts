import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { signedFetch } from '../../../clients/operator/signed-fetch.ts';
import type { Emulator } from './emulator.ts';

export interface Version {
  readonly Version: string;
  readonly MemorySize: number;
  readonly CodeSha256: string;
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
}

/**
 * Returns a function of prod by an alias or a version; undefined if there is none. `name`: without the stage. Uses no
 * SDK client, because nothing else needs one for Lambda.
 */
export async function versionOf(
  { settings }: Emulator,
  name: string,
  qualifier = '$LATEST',
): Promise<Version | undefined> {
  const path = `/2015-03-31/functions/identity-prod-${name}/configuration?Qualifier=${qualifier}`;
  const url = new URL(path, settings.endpoint);
  const { config } = new DynamoDBClient(settings);
  const response = await signedFetch({ method: 'GET', url, service: 'lambda' }, config);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`The emulator responded with ${response.status} to ${path}.`);
  return (await response.json()) as Version;
}
