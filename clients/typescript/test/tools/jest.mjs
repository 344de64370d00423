import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

writeFileSync(
  'of-jest.test.js',
  `const { IdentityClient } = require('ng-identity');
const { FakeIdentity } = require('ng-identity/testing');
test('a call', async () => {
  const fake = new FakeIdentity();
  jest.useFakeTimers();
  fake.failNext('RATE_LIMITED');
  const call = new IdentityClient(fake.options).verify('NIN', '12345678901');
  await jest.advanceTimersByTimeAsync(1500);
  expect(await call).toMatchObject({ code: 'NIN_VERIFIED' });
});`,
);
execFileSync('node_modules/.bin/jest', ['of-jest', '--rootDir', '.'], { stdio: 'pipe' });
