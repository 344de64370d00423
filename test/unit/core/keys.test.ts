import { expect, test } from '@jest/globals';
import { apiKeyKey, apiKeysPk, organisationKey } from '../../../shared/core/keys.ts';

const ORGANISATION = 'aaaaaaaaaa';

test('API keys are not in the partition of their organisation, so that permissions can be separate', () => {
  const key = apiKeyKey(ORGANISATION, 'ab'.repeat(32));

  expect(key).toEqual({ pk: `KEYS#${ORGANISATION}`, sk: `KEY#${'ab'.repeat(32)}` });
  expect(key.pk).toBe(apiKeysPk(ORGANISATION));
  expect(organisationKey(ORGANISATION)).toEqual({ pk: `ORG#${ORGANISATION}`, sk: 'ORG' });
});
