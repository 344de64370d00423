import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';

/** Requests to a REST API with IAM authorisation. */

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: URL;
  /** In lower case. The signature covers all of them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
  /** @default execute-api */
  readonly service?: string;
}

/** The settings of any SDK client that sign a request. */
export type SigningConfig = Pick<DynamoDBClient['config'], 'credentials' | 'region' | 'sha256'>;

/** Sends a request that is signed with AWS Signature Version 4, which is valid for five minutes. */
export async function signedFetch(request: ApiRequest, config: SigningConfig): Promise<Response> {
  const { headers, url } = await signApiRequest(request, config);
  const { method, body, signal } = request;
  return fetch(url, { method, headers, ...(body !== undefined && { body }), ...(signal && { signal }) });
}

/** Returns the headers that sign a request, and the address to which it must be sent. */
export async function signApiRequest(
  { method, url, headers: covered, body, service = 'execute-api' }: ApiRequest,
  { credentials, region, sha256 }: SigningConfig,
  signingDate: Date = new Date(),
): Promise<{ readonly url: URL; readonly headers: Record<string, string> }> {
  const query: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) query[name] = [...(query[name] ?? []), value];
  const signer = new SignatureV4({ service, credentials, region, sha256 });
  const signed = await signer.sign(
    {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query,
      headers: { ...covered, host: url.host },
      body,
    },
    { signingDate },
  );
  // Node adds this header itself.
  const { host: _host, ...headers } = signed.headers;
  const sent = new URL(url);
  // The signature covers a space as `%20`, but the class writes it as `+`.
  sent.search = url.searchParams.toString().replaceAll('+', '%20');
  return { url: sent, headers };
}
