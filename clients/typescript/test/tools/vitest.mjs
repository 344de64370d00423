import { writeFileSync } from 'node:fs';
import { startVitest } from 'vitest/node';
import { assert } from './server.mjs';

writeFileSync(
  'of-vitest.test.mjs',
  `import { expect, test, vi } from 'vitest';
import { IdentityClient } from 'ng-identity';
import { FakeIdentity } from 'ng-identity/testing';
test('a call', async () => {
  const fake = new FakeIdentity();
  vi.stubGlobal('fetch', fake.fetch);
  vi.useFakeTimers();
  fake.failNext('RATE_LIMITED');
  const { apiKey, baseUrl } = fake;
  const call = new IdentityClient({ apiKey, baseUrl }).verify('NIN', '12345678901');
  await vi.advanceTimersByTimeAsync(1500);
  expect(await call).toMatchObject({ code: 'NIN_VERIFIED' });
  vi.useRealTimers();
});`,
);
const vitest = await startVitest('test', ['of-vitest'], { run: true, watch: false });
assert.equal(vitest.state.getCountOfFailedTests(), 0);
assert.equal(vitest.state.getFiles().length, 1);
await vitest.close();
