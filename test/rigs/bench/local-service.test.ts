import { expect, test } from '@jest/globals';
import { localServiceGoals } from './goals/local-service.ts';

test('goal 9 sends verifications to the local service and repeats their five calls', async () => {
  const lines = await localServiceGoals(1, { warmUp: 2, counted: 3, warmUpOnce: 8 });

  expect(lines.map(({ goal }) => goal)).toEqual(['9a', '9b']);
  for (const { measured } of lines) expect(measured.median).toBeGreaterThan(0);
}, 240_000);
