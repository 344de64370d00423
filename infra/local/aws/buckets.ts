import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import * as v from 'valibot';
import { ACCOUNT_ID } from '../templates/physical-names.ts';
import type { Deployment } from '../templates/template.ts';
import type { Deny } from './aws-response.ts';
import type { Principal } from './principals.ts';

/**
 * Emulates the S3 buckets of the templates, which have versions and Object Lock: new objects can be stored, read and
 * listed, and nothing can be replaced or deleted.
 */

interface S3Request {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** `content` is XML, except for the text of an object. */
export interface S3Response {
  readonly status: number;
  readonly content: string;
}

const storedShape = v.object({
  bucket: v.string(),
  key: v.string(),
  versionId: v.string(),
  text: v.string(),
});
type Stored = v.InferOutput<typeof storedShape>;

interface BucketState {
  readonly arn: string;
  /** By key. */
  readonly objects: Map<string, Stored>;
}

/** S3's default and maximum. */
const PAGE = 1_000;

/** Whether a request is for S3, according to the service in its signature. */
export function isForS3(authorization: string | undefined): boolean {
  return /Credential=[^,]*\/s3\/aws4_request/.test(authorization ?? '');
}

/** The buckets of a deployment. With a file, objects are kept between runs. */
export class Buckets {
  readonly #file: string | undefined;
  readonly #byName: ReadonlyMap<string, BucketState>;

  constructor(deployment: Deployment, file?: string) {
    this.#file = file;
    this.#byName = new Map(
      deployment
        .ofType('AWS::S3::Bucket')
        .map((resource) => [
          deployment.name(resource),
          { arn: deployment.arn(resource), objects: new Map() },
        ]),
    );
    if (!file || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const stored = v.parse(storedShape, JSON.parse(line));
      this.#byName.get(stored.bucket)?.objects.set(stored.key, stored);
    }
  }

  /** Handles a request with the bucket in its path. */
  respond(request: S3Request, principal: Principal, deny: Deny): S3Response {
    const { pathname, searchParams: query } = new URL(request.url, 'http://local');
    const [, name = '', ...path] = pathname.split('/').map(decodeURIComponent);
    const key = path.join('/');
    const bucket = this.#byName.get(name);
    if (!bucket) return failed(404, 'NoSuchBucket', 'The specified bucket does not exist');
    const action = actionOf(request.method, key, query);
    if (!action) return failed(501, 'NotImplemented', 'The local runtime does not support this request.');
    const resource = key ? `${bucket.arn}/${key}` : bucket.arn;
    if (!principal.authorise(action, resource)) {
      const { message } = Object(deny(action, resource).content) as { message: string };
      return failed(403, 'AccessDenied', message);
    }
    const owner = request.headers['x-amz-expected-bucket-owner'];
    if (owner !== undefined && owner !== ACCOUNT_ID) return failed(403, 'AccessDenied', 'Access Denied');
    if (action === 's3:PutObject') return this.#put(request, { bucket: name, key }, bucket);
    if (action === 's3:ListBucketVersions') return list(bucket, query);
    const found = bucket.objects.get(key);
    const versionId = query.get('versionId') ?? found?.versionId;
    if (!found || found.versionId !== versionId)
      return failed(404, 'NoSuchKey', 'The specified key does not exist.');
    return { status: 200, content: found.text };
  }

  #put({ headers, body }: S3Request, place: Pick<Stored, 'bucket' | 'key'>, { objects }: BucketState) {
    // The policy of the bucket rejects anything else.
    if (headers['if-none-match'] !== '*') return failed(403, 'AccessDenied', 'Access Denied');
    const checksum = createHash('sha256').update(body).digest('base64');
    if (headers['x-amz-checksum-sha256'] === undefined)
      return failed(400, 'InvalidRequest', 'A bucket with Object Lock requires a checksum.');
    if (headers['x-amz-checksum-sha256'] !== checksum)
      return failed(400, 'BadDigest', 'The checksum does not match the content.');
    if (objects.has(place.key))
      return failed(
        412,
        'PreconditionFailed',
        'At least one of the pre-conditions you specified did not hold',
      );
    const stored = { ...place, versionId: randomUUID(), text: body.toString('utf8') };
    objects.set(place.key, stored);
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(stored)}\n`, { mode: 0o600 });
    return { status: 200, content: '' };
  }
}

/** Returns the permission that a request needs. Undefined if the request is not supported. */
function actionOf(method: string, key: string, query: URLSearchParams): string | undefined {
  if (method === 'PUT' && key) return 's3:PutObject';
  if (method !== 'GET') return undefined;
  if (key) return query.has('versionId') ? 's3:GetObjectVersion' : 's3:GetObject';
  return query.has('versions') ? 's3:ListBucketVersions' : undefined;
}

function list({ objects }: BucketState, query: URLSearchParams): S3Response {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const after = query.get('key-marker') ?? '';
  /** Returns the part of a key that is listed instead of its object, or undefined. */
  const folderOf = (key: string) => {
    const end = delimiter ? key.indexOf(delimiter, prefix.length) : -1;
    return end < 0 ? undefined : key.slice(0, end + delimiter.length);
  };
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const entries = [...new Set(keys.map((key) => folderOf(key) ?? key))].filter((entry) => entry > after);
  const page = entries.slice(0, Number(query.get('max-keys') ?? PAGE));
  const elements = page.map((entry) => {
    const found = objects.get(entry);
    return found
      ? `<Version><Key>${entry}</Key><VersionId>${found.versionId}</VersionId><IsLatest>true</IsLatest></Version>`
      : `<CommonPrefixes><Prefix>${entry}</Prefix></CommonPrefixes>`;
  });
  const rest =
    page.length < entries.length
      ? `<IsTruncated>true</IsTruncated><NextKeyMarker>${page.at(-1)}</NextKeyMarker>`
      : '<IsTruncated>false</IsTruncated>';
  return { status: 200, content: `<ListVersionsResult>${rest}${elements.join('')}</ListVersionsResult>` };
}

function failed(status: number, code: string, message: string): S3Response {
  return { status, content: `<Error><Code>${code}</Code><Message>${message}</Message></Error>` };
}
