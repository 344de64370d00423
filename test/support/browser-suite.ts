import { test } from '@jest/globals';

/**
 * Defines the tests that need a browser. Without one, defines a placeholder test, because Jest fails a file without
 * tests.
 */
export function browserSuite<B>(browser: B | undefined, define: (browser: B) => void): void {
  if (browser) define(browser);
  else test.todo('browser suite not run');
}
