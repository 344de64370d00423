import { expect, test } from '@jest/globals';
import { apiKeyKey, apiKeysPk, organisationKey } from '../../../shared/core/keys.ts';

const ORGANISATION = 'aaaaaaaaaa';

test('a permission on the partition of API keys does not include the organisation', () => {
  const key = apiKeyKey(ORGANISATION, 'ab'.repeat(32));

  expect(key).toEqual({ pk: `KEYS#${ORGANISATION}`, sk: `KEY#${'ab'.repeat(32)}` });
  expect(key.pk).toBe(apiKeysPk(ORGANISATION));
  expect(organisationKey(ORGANISATION)).toEqual({ pk: `ORG#${ORGANISATION}`, sk: 'ORG' });
});
