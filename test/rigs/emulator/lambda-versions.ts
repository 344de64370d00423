import type { Emulator } from './emulator.ts';

export interface Version {
  readonly Version: string;
  readonly MemorySize: number;
  readonly CodeSha256: string;
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
}

/**
 * Returns a function of prod by an alias or a version; undefined if there is none. `name`: without the stage. Uses no
 * SDK client, because nothing else needs one for Lambda: moto reads the service from the credentials, and ignores the
 * signature.
 */
export async function versionOf(
  { environment, region }: Emulator,
  name: string,
  qualifier = '$LATEST',
): Promise<Version | undefined> {
  const path = `/2015-03-31/functions/identity-prod-${name}/configuration?Qualifier=${qualifier}`;
  const credential = `test/20260101/${region}/lambda/aws4_request`;
  const response = await fetch(environment['AWS_ENDPOINT_URL'] + path, {
    headers: { authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0` },
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`The emulator responded with ${response.status} to ${path}.`);
  return (await response.json()) as Version;
}
