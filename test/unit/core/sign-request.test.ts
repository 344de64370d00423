import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signRequest } from '../../../shared/core/sign-request.ts';

const CREDENTIALS = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'made-up-key-id',
  AWS_SECRET_ACCESS_KEY: 'made-up-secret',
  AWS_SESSION_TOKEN: 'made-up-token',
};
const before = { ...process.env };
beforeAll(() => void Object.assign(process.env, CREDENTIALS));
afterAll(() => {
  process.env = before;
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Returns the signature of a POST request, as the IAM user guide describes it ("Create a signed AWS API request"). */
function signatureOf(url: URL, content: string, longDate: string, remainingMs: string): string {
  const date = longDate.slice(0, 8);
  const headers = {
    host: url.host,
    'x-amz-content-sha256': sha256(content),
    'x-amz-date': longDate,
    'x-amz-security-token': CREDENTIALS.AWS_SESSION_TOKEN,
    'x-remaining-ms': remainingMs,
  };
  const canonical = [
    'POST',
    url.pathname,
    '',
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    '',
    Object.keys(headers).join(';'),
    sha256(content),
  ].join('\n');
  const scope = `${date}/eu-west-1/lambda/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', longDate, scope, sha256(canonical)].join('\n');
  const key = [date, 'eu-west-1', 'lambda', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${CREDENTIALS.AWS_SECRET_ACCESS_KEY}`,
  );
  return hmac(key, toSign).toString('hex');
}

test('a request to a function URL is signed with the credentials of the function', async () => {
  const url = new URL('https://madeup.lambda-url.eu-west-1.on.aws/');
  const body = { id_type: 'NIN', number: '12345678901' };

  const headers = await signRequest({ url, body, headers: { 'x-remaining-ms': '20000' } });
  const longDate = headers['x-amz-date'] ?? '';
  const scope = `${longDate.slice(0, 8)}/eu-west-1/lambda/aws4_request`;

  expect(headers).toEqual({
    authorization: [
      `AWS4-HMAC-SHA256 Credential=made-up-key-id/${scope}`,
      'SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-remaining-ms',
      `Signature=${signatureOf(url, JSON.stringify(body), longDate, '20000')}`,
    ].join(', '),
    'x-amz-content-sha256': sha256(JSON.stringify(body)),
    'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
    'x-amz-security-token': 'made-up-token',
    'x-remaining-ms': '20000',
  });
});
