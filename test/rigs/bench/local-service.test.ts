import { expect, test } from '@jest/globals';
import { baseUrl, organisation } from '../../support/service.ts';
import { goalsOf } from './goals/local-service.ts';

test('goal 9 sends verifications to the local service and repeats their five calls', async () => {
  const { live: key } = await organisation({ credits: 1_000 });
  const databaseEndpoint = process.env['DYNAMODB_ENDPOINT'] ?? '';
  const few = { warmUp: 2, counted: 3, warmUpOnce: 8 };
  const lines = await goalsOf({ baseUrl, key, databaseEndpoint }, 1, few);

  expect(lines.map(({ goal }) => goal)).toEqual(['9a', '9b']);
  for (const { measured } of lines) expect(measured.median).toBeGreaterThan(0);
});
