import { expect, test } from '@jest/globals';
import { allowedFigures, measure } from './size.ts';

/** The project grows only on purpose: the commit that raises a figure states it, and the reason. */

const { figures } = measure();

test.each(Object.keys(figures))(
  'the project has no more %s than `npm run rig -- size --record` recorded',
  (name) => {
    expect(figures[name]).toBeLessThanOrEqual(allowedFigures()[name] ?? 0);
  },
);
