import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import FetchAdapter from '@pollyjs/adapter-fetch';
import { Polly } from '@pollyjs/core';
import FSPersister from '@pollyjs/persister-fs';
import { assert, client, fake, NIN } from './server.mjs';

Polly.register(FetchAdapter);
Polly.register(FSPersister);
const recordingsDir = mkdtempSync(join(tmpdir(), 'polly-'));
const settings = (mode) => ({
  mode,
  recordIfMissing: mode === 'record',
  adapters: ['fetch'],
  persister: 'fs',
  persisterOptions: { fs: { recordingsDir } },
  matchRequestsBy: { order: false, headers: { exclude: ['idempotency-key', 'user-agent'] } },
});
// A recording contains the key of its call, so calls that replay it need the same one.
const options = { idempotencyKey: 'a-fixed-key-0001' };
const recorder = new Polly('call', settings('record'));
const recorded = await client.verify('NIN', NIN, options);
await recorder.stop();
const player = new Polly('call', settings('replay'));
assert.deepEqual((await client.verify('NIN', NIN, options)).data, recorded.data);
await assert.rejects(client.verify('NIN', NIN, { timeoutMs: 5000 }), { message: /different request/ });
await player.stop();
assert.equal(fake.charges.length, 1);
