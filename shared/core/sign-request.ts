import { SignatureV4 } from '@smithy/signature-v4';
import { database } from './database.ts';

let signer: SignatureV4 | undefined;

export interface UnsignedRequest {
  readonly url: URL;
  readonly body: unknown;
  /** Headers that the signature covers, in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Returns the headers that sign a request to a function URL or to Lambda itself with the credentials of this function's role (AWS Signature
 * Version 4). The body must be sent as `JSON.stringify` returns it, within five minutes.
 */
export async function signRequest({
  url,
  body,
  headers: covered,
}: UnsignedRequest): Promise<Record<string, string>> {
  // Uses the credentials and the region of the DynamoDB client, so that they are not loaded twice.
  const { credentials, region, sha256 } = database().config;
  signer ??= new SignatureV4({ service: 'lambda', credentials, region, sha256 });
  const { headers } = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query: {},
    headers: { ...covered, host: url.host },
    body: JSON.stringify(body),
  });
  // Node adds this header itself.
  const { host: _host, ...signed } = headers;
  return signed;
}
