import { expect, test } from '@jest/globals';
import { allowedFigures, measure } from './size.ts';

/**
 * The project grows only on purpose. A change that raises a figure runs `npm run rig -- size -- --record`, and states the
 * new figure and the reason in its commit.
 */

const { figures } = measure();

test.each(Object.keys(figures))('the project has no more %s than permitted', (name) => {
  expect(figures[name]).toBeLessThanOrEqual(allowedFigures()[name] ?? 0);
});
