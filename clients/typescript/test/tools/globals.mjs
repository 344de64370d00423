import AbortPolyfill from 'abort-controller';
import Bluebird from 'bluebird';
import pLimit from 'p-limit';
import 'zone.js/node';
import { assert, client, fake, NIN } from './server.mjs';

const native = globalThis.Promise;
globalThis.Promise = Bluebird;
await client.verify('NIN', NIN);
globalThis.Promise = native;

const { AbortController: Polyfill } = AbortPolyfill;
const controller = new Polyfill();
await client.verify('NIN', NIN, { signal: controller.signal });
controller.abort();
await assert.rejects(client.verify('NIN', NIN, { signal: controller.signal }), { kind: 'aborted' });

const warnings = [];
process.on('warning', (warning) => warnings.push(warning.name));
const { signal } = new AbortController();
const limit = pLimit(50);
await Promise.all(Array.from({ length: 100 }, () => limit(() => client.balance({ signal }))));
assert.deepEqual(warnings, []);
assert.equal(fake.charges.length, 2);
