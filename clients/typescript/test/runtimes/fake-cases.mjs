import { isDeepStrictEqual } from 'node:util';
import { FakeIdentity } from 'ng-identity/testing';
import { fakeCases, responsesOf } from '../fake-cases.ts';

/** Runs the cases of the package's fake. Prints each difference, and how many requests passed. */

let passed = 0;
let failed = 0;
for (const example of fakeCases) {
  const fake = new FakeIdentity({ credits: 100 });
  for (const { found, expected } of await responsesOf(example, fake.fetch, fake)) {
    if (isDeepStrictEqual(found, expected)) passed += 1;
    else {
      failed += 1;
      console.log(`${example.name}: ${JSON.stringify({ found, expected })}`);
    }
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
