import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { assert, baseUrl, client, fake, found, NIN } from './server.mjs';

const mock = setupServer(
  http.post(`${baseUrl}/api/v1/ng/nin-basic/`, ({ request }) => {
    const { body, headers } = found(request.headers.get('Idempotency-Key'));
    return HttpResponse.json(body, { headers });
  }),
);
mock.listen({ onUnhandledRequest: 'error' });
assert.equal((await client.verify('NIN', NIN)).data.firstname, 'ADA');
mock.close();
assert.equal(fake.requests.length, 0);
