import FakeTimers from '@sinonjs/fake-timers';
import { assert, fake, IdentityClient, NIN } from './server.mjs';

const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
const client = new IdentityClient(fake.options);
fake.failNext('RATE_LIMITED');
const call = client.verify('NIN', NIN);
// The client waits for the time of the test.
await clock.tickAsync(1500);
assert.equal((await call).creditsCharged, 1);
assert.equal(fake.requests.length, 2);
clock.uninstall();
