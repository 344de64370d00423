import { fileURLToPath } from 'node:url';

/** Where `npm test` writes how long its suites, files and stages took. */
export const DURATIONS_FILE = fileURLToPath(
  new URL('../../node_modules/.cache/test-durations.txt', import.meta.url),
);
