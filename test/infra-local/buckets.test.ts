import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type AwsEndpoint, startAwsEndpoint } from '../../infra/local/aws/aws-endpoint.ts';
import { Buckets } from '../../infra/local/aws/buckets.ts';
import { authoriser } from '../../infra/local/aws/policy.ts';
import { Principals } from '../../infra/local/aws/principals.ts';
import { Secrets } from '../../infra/local/aws/secrets.ts';
import { Deployment } from '../../infra/local/templates/template.ts';
import { type ListedVersion, s3Bucket } from '../../shared/core/bucket.ts';

/** The S3 test double over HTTP, through the client that the service uses. */

const STACKS = new Deployment([
  { name: 'data', template: { Resources: { Archive: { Type: 'AWS::S3::Bucket' } } } },
]);
const NAME = 'data-Archive';
const OBJECT = { contentType: 'text/plain', text: 'a row' };

let directory: string;
let endpoint: AwsEndpoint;
let denied: string[];
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'buckets-'));
  await start();
});
afterEach(async () => {
  await endpoint.close();
  rmSync(directory, { recursive: true });
});

const principals = new Principals();

async function start(): Promise<void> {
  denied = [];
  endpoint = await startAwsEndpoint({
    principals,
    tables: new Map(),
    secrets: new Secrets(STACKS),
    buckets: new Buckets(STACKS, join(directory, 'buckets.jsonl')),
    dynamoDb: { endpoint: 'http://127.0.0.1:9', accessKeyId: 'none' },
    onDenied: (message) => denied.push(message),
  });
}

function bucketFor(actions: readonly string[], owner?: string) {
  const Resource = [`arn:aws:s3:::${NAME}`, `arn:aws:s3:::${NAME}/audit/*`];
  const authorise = authoriser([{ Statement: [{ Effect: 'Allow', Action: [...actions], Resource }] }]);
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = principals.register({ arn: 'tester', authorise });
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1', credentials }));
  return s3Bucket({ name: NAME, endpoint: endpoint.url, owner }, client);
}

const EVERYTHING = ['s3:PutObject', 's3:GetObject', 's3:GetObjectVersion', 's3:ListBucketVersions'];

async function keysIn(bucket: ReturnType<typeof s3Bucket>, ...where: Parameters<typeof bucket.listVersions>) {
  const keys: string[] = [];
  for await (const { versions, prefixes } of bucket.listVersions(...where))
    keys.push(...versions.map(({ key }) => key), ...prefixes);
  return keys;
}

test('stores an object once, keeps its first content, and returns it by its version', async () => {
  const bucket = bucketFor(EVERYTHING);
  expect(await bucket.putNew('audit/a.json', OBJECT)).toBe(true);
  expect(await bucket.putNew('audit/a.json', { ...OBJECT, text: 'another' })).toBe(false);
  const { value } = await bucket.listVersions('audit/').next();
  const version: ListedVersion | undefined = value?.versions[0];
  expect(version).toMatchObject({ key: 'audit/a.json', isDeletion: false });
  expect(await bucket.get('audit/a.json', version?.versionId)).toBe('a row');
  expect(await bucket.get('audit/a.json')).toBe('a row');
  await expect(bucket.get('audit/b.json')).rejects.toThrow('404 NoSuchKey');
});

test('does not replace an object, which the policy of the bucket forbids', async () => {
  await expect(bucketFor(EVERYTHING).put('audit/a.json', OBJECT)).rejects.toThrow('403 AccessDenied');
});

test('keeps objects between runs', async () => {
  await bucketFor(EVERYTHING).putNew('audit/a.json', OBJECT);
  await endpoint.close();
  await start();
  expect(await bucketFor(EVERYTHING).get('audit/a.json')).toBe('a row');
});

test('lists keys in order, after a key, by folder, and in pages of 1,000', async () => {
  const bucket = bucketFor(EVERYTHING);
  for (const key of ['audit/org/b/1', 'audit/org/a/2', 'audit/org/a/1', 'audit/stage/1'])
    await bucket.putNew(key, OBJECT);
  expect(await keysIn(bucket, 'audit/org/a/')).toEqual(['audit/org/a/1', 'audit/org/a/2']);
  expect(await keysIn(bucket, 'audit/', { after: 'audit/org/a/2' })).toEqual([
    'audit/org/b/1',
    'audit/stage/1',
  ]);
  expect(await keysIn(bucket, 'audit/org/', { delimiter: '/' })).toEqual(['audit/org/a/', 'audit/org/b/']);
  const many = Array.from({ length: 1_001 }, (_, index) => `audit/many/${String(index).padStart(4, '0')}`);
  await Promise.all(many.map((key) => bucket.putNew(key, OBJECT)));
  expect(await keysIn(bucket, 'audit/many/')).toEqual(many);
});

test('checks the policies of the caller for each request', async () => {
  const reader = bucketFor(['s3:GetObject']);
  await expect(reader.putNew('audit/a.json', OBJECT)).rejects.toThrow('403 AccessDenied');
  await expect(keysIn(reader, 'audit/')).rejects.toThrow('403 AccessDenied');
  const writer = bucketFor(['s3:PutObject']);
  await writer.putNew('audit/a.json', OBJECT);
  await expect(writer.get('audit/a.json')).rejects.toThrow('403 AccessDenied');
  await expect(writer.putNew('elsewhere/a.json', OBJECT)).rejects.toThrow('403 AccessDenied');
  expect(await reader.get('audit/a.json')).toBe('a row');
  await expect(reader.get('audit/a.json', 'any')).rejects.toThrow('403 AccessDenied');
  expect(denied).toHaveLength(5);
});

test('rejects a caller who expects another owner', async () => {
  await expect(bucketFor(EVERYTHING, '123456789012').putNew('audit/a.json', OBJECT)).rejects.toThrow(
    '403 AccessDenied',
  );
  expect(await bucketFor(EVERYTHING, '000000000000').putNew('audit/a.json', OBJECT)).toBe(true);
});

test('requires the checksum that Object Lock requires, and deletes nothing', async () => {
  const { AWS_ACCESS_KEY_ID } = principals.register({ arn: 'tester', authorise: () => true });
  const authorization = `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/20261129/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=0`;
  const send = async (method: string, headers: Record<string, string> = {}) => {
    const body = method === 'PUT' ? { body: 'a row' } : {};
    const all = { authorization, 'if-none-match': '*', ...headers };
    return (await fetch(`${endpoint.url}/${NAME}/audit/a.json`, { method, headers: all, ...body })).status;
  };
  const checksumOf = (text: string) => createHash('sha256').update(text).digest('base64');
  expect(await send('PUT')).toBe(400);
  expect(await send('PUT', { 'x-amz-checksum-sha256': checksumOf('another') })).toBe(400);
  expect(await send('PUT', { 'x-amz-checksum-sha256': checksumOf('a row') })).toBe(200);
  expect(await send('DELETE')).toBe(501);
});
