import { test } from '@jest/globals';

/** Defines the tests that need a browser. Without one, a note takes their place: Jest fails a file without tests. */
export function browserSuite<B>(browser: B | undefined, define: (browser: B) => void): void {
  if (browser) define(browser);
  else test.todo('browser suite not run');
}
