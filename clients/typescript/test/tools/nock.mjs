import nock from 'nock';
import { assert, baseUrl, client, fake, found, NIN } from './server.mjs';

let key;
nock(baseUrl)
  .post('/api/v1/ng/nin-basic/')
  .matchHeader('Idempotency-Key', (value) => {
    key = String(value);
    return true;
  })
  .reply(() => [200, found(key).body, found(key).headers]);
nock.disableNetConnect();
assert.equal((await client.verify('NIN', NIN)).data.firstname, 'ADA');
await assert.rejects(client.verify('NIN', NIN, { timeoutMs: 1000 }), (error) => {
  assert.equal(error.code, 'ERR_NOCK_NO_MATCH');
  assert.ok(!error.message.includes('idv_test_'));
  return true;
});
assert.equal(fake.requests.length, 0);
