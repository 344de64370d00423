import { MockAgent, setGlobalDispatcher } from 'undici';
import { assert, baseUrl, client, fake, found, NIN } from './server.mjs';

const agent = new MockAgent();
agent.disableNetConnect();
setGlobalDispatcher(agent);
agent
  .get(baseUrl)
  .intercept({ path: '/api/v1/ng/nin-basic/', method: 'POST' })
  .reply(({ headers }) => {
    const key = new Headers(headers).get('Idempotency-Key');
    return { statusCode: 200, data: found(key).body, responseOptions: { headers: found(key).headers } };
  });
assert.equal((await client.verify('NIN', NIN)).data.firstname, 'ADA');
assert.equal(fake.requests.length, 0);
