import { expect, test } from '@jest/globals';
import { requestGoals } from './goals/requests.ts';

test('goal 15 measures the first page of a list, of a filtered list and of a search by reference', async () => {
  const lines = await requestGoals(1, 2_000);

  expect(lines.map(({ goal }) => goal)).toEqual(['15a', '15b', '15c']);
  for (const { measured } of lines) expect(measured.median).toBeGreaterThan(0);
});
