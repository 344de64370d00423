import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';

/** An S3 bucket. The SDK's client for S3 would be larger than everything else in a function. */
export type S3Bucket = ReturnType<typeof s3Bucket>;

interface BucketAddress {
  readonly name: string;
  /** The base URL of S3. */
  readonly endpoint: string;
  /** The AWS account that must own the bucket. @default not checked */
  readonly owner?: string | undefined;
}

interface NewObject {
  readonly contentType: string;
  readonly text: string;
}

/** A version of an object, or the marker that hides the object after a deletion without a version. */
export interface ListedVersion {
  readonly key: string;
  readonly versionId: string;
  readonly isDeletion: boolean;
}

export interface VersionPage {
  /** By key, and the newest version of each key first. */
  readonly versions: readonly ListedVersion[];
  /** With a delimiter, the beginnings of keys up to the delimiter. */
  readonly prefixes: readonly string[];
}

interface BucketRequest {
  readonly method: 'GET' | 'PUT';
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
}

const MAX_ATTEMPTS = 3;
const TIMEOUT_MS = 30_000;
const RETRY_AFTER_MS = 500;
/** S3 returns this if another request is storing an object with the same key. */
const CONFLICT = 409;
const EXISTS = 412;

/** Returns the bucket. */
export function s3Bucket(
  { name, endpoint, owner }: BucketAddress,
  client: Pick<DynamoDBDocumentClient, 'config'>,
) {
  const { region, credentials, sha256 } = client.config;
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256, uriEscapePath: false });

  async function sendOnce({ method, key = '', query = {}, headers = {}, body }: BucketRequest) {
    const url = new URL(`${endpoint}/${name}/${key}`);
    const { headers: signed } = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: { ...query },
      headers: {
        ...headers,
        host: url.host,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
        // Otherwise, a bucket with this name in another account would receive the data.
        ...(owner && { 'x-amz-expected-bucket-owner': owner }),
      },
      ...(body && { body }),
    });
    const { host: _host, ...sent } = signed;
    url.search = new URLSearchParams(query).toString();
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return fetch(url, { method, headers: sent, signal, ...(body && { body }) });
  }

  /** Returns the response if its status is 2xx or `accepted`. Otherwise, throws `failure` with the reason. */
  async function send(request: BucketRequest, failure: string, accepted?: number): Promise<Response> {
    let problem = '';
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      if (attempts > 0) await pause(RETRY_AFTER_MS * attempts);
      try {
        const response = await sendOnce(request);
        if (response.ok || response.status === accepted) return response;
        problem = await problemOf(response);
        if (response.status < 500 && response.status !== CONFLICT) break;
      } catch (error) {
        problem = error instanceof Error ? error.name : 'no response';
      }
    }
    throw new Error(`${failure}: ${problem}.`);
  }

  function store(key: string, { contentType, text }: NewObject, isNew: boolean): Promise<Response> {
    const body = new TextEncoder().encode(text);
    // A bucket with Object Lock requires a checksum.
    const checksum = createHash('sha256').update(body).digest('base64');
    const headers = {
      'content-type': contentType,
      'x-amz-checksum-sha256': checksum,
      ...(isNew && { 'if-none-match': '*' }),
    };
    const failure = `The bucket ${name} did not store ${key}`;
    return send({ method: 'PUT', key, headers, body }, failure, isNew ? EXISTS : undefined);
  }

  return {
    name,
    /** Stores an object, or replaces it. Throws if S3 does not confirm it. */
    async put(key: string, object: NewObject): Promise<void> {
      await store(key, object, false);
    },
    /** Stores an object. Returns false if one with this key exists. Throws if S3 does not confirm either. */
    async putNew(key: string, object: NewObject): Promise<boolean> {
      const { status } = await store(key, object, true);
      return status !== EXISTS;
    },
    /** Returns the text of an object, by default of its newest version. Throws if there is none. */
    async get(key: string, versionId?: string): Promise<string> {
      const query: Record<string, string> = versionId === undefined ? {} : { versionId };
      const failure = `The bucket ${name} did not return ${key}`;
      return (await send({ method: 'GET', key, query }, failure)).text();
    },
    async *listVersions(
      prefix: string,
      { after, delimiter }: { readonly after?: string | undefined; readonly delimiter?: string } = {},
    ): AsyncGenerator<VersionPage> {
      let marker: Record<string, string> = after === undefined ? {} : { 'key-marker': after };
      for (;;) {
        const query = { versions: '', prefix, ...(delimiter && { delimiter }), ...marker };
        const response = await send({ method: 'GET', query }, `The bucket ${name} could not be listed`);
        const xml = await response.text();
        yield pageOf(xml);
        if (textOf(xml, 'IsTruncated') !== 'true') return;
        const version = textOf(xml, 'NextVersionIdMarker');
        marker = {
          'key-marker': textOf(xml, 'NextKeyMarker'),
          ...(version && { 'version-id-marker': version }),
        };
      }
    },
  };
}

function pageOf(xml: string): VersionPage {
  const versions = [...xml.matchAll(/<(Version|DeleteMarker)>(.*?)<\/\1>/gs)].map(([, kind, text = '']) => ({
    key: textOf(text, 'Key'),
    versionId: textOf(text, 'VersionId'),
    isDeletion: kind === 'DeleteMarker',
  }));
  const prefixes = [...xml.matchAll(/<CommonPrefixes>(.*?)<\/CommonPrefixes>/gs)];
  return { versions, prefixes: prefixes.map(([, text = '']) => textOf(text, 'Prefix')) };
}

/** Returns the text of the first element with this name. Keys and versions contain nothing that XML must escape. */
function textOf(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';
}

/** Returns the status and the error code, which S3 sends in XML: `<Code>AccessDenied</Code>`. */
async function problemOf(response: Response): Promise<string> {
  return `${response.status} ${textOf(await response.text(), 'Code')}`.trim();
}
