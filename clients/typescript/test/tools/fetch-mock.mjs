import fetchMock from 'fetch-mock';
import { assert, client, fake, found, NIN } from './server.mjs';

fetchMock.mockGlobal().post('end:/nin-basic/', ({ options }) => {
  const { body, headers } = found(new Headers(options.headers).get('Idempotency-Key'));
  return { status: 200, body, headers };
});
assert.equal((await client.verify('NIN', NIN)).data.firstname, 'ADA');
assert.equal(fake.requests.length, 0);
