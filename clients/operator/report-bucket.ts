import { createHash } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';

/** The S3 bucket that receives the reports of closed months. */
export interface ReportBucket {
  readonly name: string;
  /** Stores an object, or replaces it. Throws with a message for the operator if S3 does not confirm it. */
  put(key: string, object: { readonly contentType: string; readonly text: string }): Promise<void>;
}

interface BucketAddress {
  readonly name: string;
  /** The base URL of S3. */
  readonly endpoint: string;
  /** The AWS account that must own the bucket. @default not checked */
  readonly owner?: string | undefined;
}

const MAX_ATTEMPTS = 3;
const TIMEOUT_MS = 30_000;
const RETRY_AFTER_MS = 500;

/** Returns the bucket. Requests to it are signed with the region and the credentials of `client`. */
export function reportBucket(
  { name, endpoint, owner }: BucketAddress,
  client: Pick<DynamoDBDocumentClient, 'config'>,
): ReportBucket {
  const { region, credentials, sha256 } = client.config;
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false });
  const send = async (key: string, contentType: string, body: Uint8Array): Promise<Response> => {
    const url = new URL(`${endpoint}/${name}/${key}`);
    const { headers } = await signer.sign({
      method: 'PUT',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: {},
      headers: {
        host: url.host,
        'content-type': contentType,
        'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
        // Otherwise, a bucket with this name in another account would receive the figures of all customers.
        ...(owner && { 'x-amz-expected-bucket-owner': owner }),
      },
      body,
    });
    const { host: _host, ...sent } = headers;
    return fetch(url, { method: 'PUT', headers: sent, body, signal: AbortSignal.timeout(TIMEOUT_MS) });
  };
  return {
    name,
    async put(key, { contentType, text }) {
      const body = new TextEncoder().encode(text);
      let problem = '';
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
        if (attempts > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS * attempts));
        try {
          const response = await send(key, contentType, body);
          if (response.ok) return;
          problem = await problemOf(response);
          if (response.status < 500) break;
        } catch (error) {
          problem = error instanceof Error ? error.name : 'no response';
        }
      }
      throw new Error(`The bucket ${name} did not store ${key}: ${problem}.`);
    },
  };
}

/** Returns the status and the error code, which S3 sends in XML: `<Code>AccessDenied</Code>`. */
async function problemOf(response: Response): Promise<string> {
  const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(await response.text()) ?? [];
  return `${response.status} ${code}`.trim();
}
