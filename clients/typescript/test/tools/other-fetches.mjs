import crossFetch from 'cross-fetch';
import makeFetchCookie from 'fetch-cookie';
import nodeFetch from 'node-fetch';
import { fetch as undiciFetch } from 'undici';
import { assert, fake, IdentityClient, NIN, options } from './server.mjs';

for (const fetch of [undiciFetch, nodeFetch, crossFetch, makeFetchCookie(globalThis.fetch)]) {
  const client = new IdentityClient({ ...options, fetch });
  assert.equal((await client.verify('NIN', NIN)).creditsCharged, 1);
  assert.ok((await client.downloadSlip(NIN, 'regular')).length > 10);
  fake.cutNext();
  assert.equal((await client.verify('NIN', NIN)).replayed, true);
}
