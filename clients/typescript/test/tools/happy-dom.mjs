import { GlobalRegistrator } from '@happy-dom/global-registrator';
import { FakeIdentity } from 'ng-identity/testing';
import { assert, IdentityClient, NIN } from './server.mjs';

GlobalRegistrator.register({ url: 'https://app.example.com/' });
const client = new IdentityClient(new FakeIdentity().options);
assert.equal((await client.verify('NIN', NIN)).creditsCharged, 1);
await GlobalRegistrator.unregister();
