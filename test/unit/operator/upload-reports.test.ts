import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { localDeployment } from '../../../clients/operator/deployment.ts';
import {
  type ClosingContext,
  uploadAfterClosing,
  uploadReports,
} from '../../../clients/operator/upload-reports.ts';
import { type S3Bucket, s3Bucket } from '../../../shared/core/bucket.ts';
import { startBucketDouble } from '../../support/bucket-double.ts';
import { SETTINGS } from '../payments/memory-payments.ts';

/** Tests that the reports of a closed month are stored in S3 with signed requests. */

const ACCOUNT = { accessKeyId: 'AKIAINVENTED', secretAccessKey: 'invented' };
const NAME = 'example-finance-reports';
const TABLES = [
  'API_KEYS',
  'WALLETS',
  'VERIFICATION_LOGS',
  'AUDIT_TRAIL',
  'APPROVALS',
  'PAYMENTS',
  'CONSOLE',
];
const MONTHS = [
  {
    wallet: { env: 'live', organisationId: 'kBDG57GjU9' },
    name: 'Àlphà Ltd',
    month: '2026-11',
    closing: undefined,
    lots: [],
    documents: [],
    orders: [],
    refunds: [],
  },
] as const;

const directory = mkdtempSync(join(tmpdir(), 'upload-'));
afterAll(() => rmSync(directory, { recursive: true }));

let s3: Awaited<ReturnType<typeof startBucketDouble>>;
beforeEach(async () => {
  s3 = await startBucketDouble(ACCOUNT);
});
afterEach(() => s3.close());

function deployment(more: Record<string, string> = {}) {
  const { AWS_SECRET_ACCESS_KEY: secretAccessKey = ACCOUNT.secretAccessKey, ...variables } = more;
  const adminAwsEnvironment = {
    ...Object.fromEntries(TABLES.map((name) => [`${name}_TABLE`, name])),
    AWS_REGION: 'af-south-1',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    MONEY: JSON.stringify({ ...SETTINGS, exportBucket: NAME }),
    AWS_ENDPOINT_URL_S3: s3.endpoint,
    ...variables,
  };
  const credentials = { accessKeyId: ACCOUNT.accessKeyId, secretAccessKey, sessionToken: 'local' };
  const file = join(directory, 'service.json');
  writeFileSync(
    file,
    JSON.stringify({ adminAwsEnvironment, operators: { url: 'http://127.0.0.1:1', credentials } }),
  );
  process.env['LOCAL_SERVICE_FILE'] = file;
  return localDeployment();
}

function bucket(more: Record<string, string> = {}): S3Bucket {
  const found = deployment(more).reportBucket();
  if (!found) throw new Error('The deployment has no bucket.');
  return found;
}

const upload = (to = bucket()) => uploadReports('2026-11', 'live', MONTHS, to);

describe('the reports of a month', () => {
  test('are stored as CSV and JSON under their environment and month, and S3 accepts their signatures', async () => {
    const keys = await upload();
    expect(keys).toHaveLength(16);
    expect([...s3.objects.keys()]).toEqual(keys.map((key) => `/${NAME}/${key}`));
    const csv = s3.objects.get(`/${NAME}/reports/live/2026-11/customers.csv`);
    expect(csv?.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv?.text).toContain('\r\nkBDG57GjU9,Àlphà Ltd,live,NGN,2026-11,OPEN,');
    const json = s3.objects.get(`/${NAME}/reports/live/2026-11/customers.json`);
    expect(JSON.parse(json?.text ?? '')).toMatchObject({
      report: 'customers',
      rows: [{ name: 'Àlphà Ltd' }],
    });
  });

  test('replace those of an earlier run', async () => {
    await upload();
    await upload();
    expect(s3.objects.size).toBe(16);
  });

  test('are sent again after an S3 error', async () => {
    s3.failures.push([503, 'SlowDown'], [500, 'InternalError']);
    await upload();
    expect(s3.objects.size).toBe(16);
    expect(s3.requests()).toBe(18);
  });

  test('are not sent again if S3 rejects one, and the operator sees why', async () => {
    s3.failures.push([403, 'AccessDenied']);
    await expect(upload()).rejects.toThrow(
      'The bucket example-finance-reports did not store reports/live/2026-11/customers.csv: 403 AccessDenied.',
    );
    expect(s3.requests()).toBe(1);
  });

  test('are rejected if they are signed with a wrong secret key', async () => {
    await expect(upload(bucket({ AWS_SECRET_ACCESS_KEY: 'other' }))).rejects.toThrow(
      '403 SignatureDoesNotMatch',
    );
    expect(s3.objects.size).toBe(0);
  });
});

test('the request names the account that must own the bucket', async () => {
  const { client } = deployment();
  await upload(s3Bucket({ name: NAME, endpoint: s3.endpoint, owner: '123456789012' }, client));
  const owners = [...s3.objects.values()].map(({ headers }) => headers['x-amz-expected-bucket-owner']);
  expect(owners).toEqual(Array(16).fill('123456789012'));
});

test('a stage without the setting has no bucket', () => {
  expect(deployment({ MONEY: JSON.stringify(SETTINGS) }).reportBucket()).toBeUndefined();
});

describe('after a month is closed,', () => {
  const notes: string[] = [];
  const context = (more: Record<string, string> = {}): ClosingContext => ({
    deployment: deployment(more),
    operator: { accountsOfMonth: async () => [...MONTHS] },
    progress: () => undefined,
    notify: (text) => notes.push(text),
  });

  test('its reports are stored, and the operator sees where', async () => {
    await uploadAfterClosing('2026-11', 'live', context());
    expect(s3.objects.size).toBe(16);
    expect(notes).toEqual(['Stored 16 report files in the bucket example-finance-reports.']);
  });

  test('a failure message says that the month is closed, and what to do', async () => {
    s3.failures.push([403, 'AccessDenied']);
    await expect(uploadAfterClosing('2026-11', 'live', context())).rejects.toThrow(
      /^2026-11 is closed, but its reports were not stored\. The bucket .*: 403 AccessDenied\. Run the same command again\.$/,
    );
  });

  test('nothing is sent without a bucket', async () => {
    await uploadAfterClosing('2026-11', 'live', context({ MONEY: JSON.stringify(SETTINGS) }));
    expect(s3.requests()).toBe(0);
  });
});
