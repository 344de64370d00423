import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { IdentityClient } from 'ng-identity';
import { FakeIdentity } from 'ng-identity/testing';

/** The fake API on a port of this machine, for programs whose tool observes or replaces connections. */

export { assert, IdentityClient };
export const NIN = '12345678901';
export const fake = new FakeIdentity();

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method, headers } = request;
  const init = { method, headers, ...(method === 'POST' && { body }) };
  delete headers['transfer-encoding'];
  const found = await fake.fetch(`${fake.baseUrl}${request.url}`, init).catch(() => undefined);
  if (!found) return response.destroy();
  response.writeHead(found.status, Object.fromEntries(found.headers));
  response.end(Buffer.from(await found.arrayBuffer()));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
server.unref();
export const baseUrl = `http://127.0.0.1:${server.address().port}`;
export const options = { apiKey: fake.apiKey, baseUrl };
export const client = new IdentityClient(options);

/** A response to any request, as a test would write it by hand. */
export const found = (key) => ({
  body: {
    success: true,
    code: 'NIN_VERIFIED',
    message: 'NIN verified.',
    verification_type: 'NIN',
    summary: { verified: true, provider: 'Mock', confidence_score: 1 },
    data: { nin: NIN, firstname: 'ADA', lastname: 'OBI' },
    meta: { request_id: 'req_0123456789ab', timestamp: '2026-01-15T09:30:00.000Z' },
  },
  headers: { 'Idempotency-Key': key, 'X-Credits-Charged': '1' },
});
