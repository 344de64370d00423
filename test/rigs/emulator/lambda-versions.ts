import type { Emulator } from './emulator.ts';

/** The part of a function's configuration that a deployment changes. */
export interface Version {
  readonly Version: string;
  readonly MemorySize: number;
  readonly CodeSha256: string;
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
}

/**
 * A function of prod by an alias or a version; undefined where there is none. By hand, since nothing else here needs an
 * SDK client of Lambda: moto reads the name of the service from the credentials, and no signature.
 */
export async function versionOf(
  { environment, region }: Emulator,
  name: string,
  qualifier: string,
): Promise<Version | undefined> {
  const path = `/2015-03-31/functions/identity-prod-${name}/configuration?Qualifier=${qualifier}`;
  const credential = `made-up/20260101/${region}/lambda/aws4_request`;
  const answer = await fetch(environment['AWS_ENDPOINT_URL'] + path, {
    headers: { authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0` },
  });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`The emulator answers ${answer.status} for ${path}.`);
  return (await answer.json()) as Version;
}
