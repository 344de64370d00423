import { expect, test } from '@jest/globals';
import { MATCH_FIELDS } from '../../../shared/matching/match.ts';
import { ALWAYS_CLOSED } from '../../../shared/registries/breaker.ts';
import type { RegistryQuery, RegistryRecord } from '../../../shared/registries/port.ts';
import type { RegistryRouter } from '../../../shared/registries/router.ts';
import { type MatchRecord, matchRecord } from '../../../shared/verifications/match-record.ts';
import type { ClaimedDetails } from '../../../shared/verifications/match-request.ts';
import type { Command } from '../../../shared/verifications/requests.ts';
import { verifyIdentity } from '../../../shared/verifications/verify-identity.ts';
import { USUAL_RECORD } from '../../slips/records.ts';
import { identifyingTexts } from '../../support/canaries.ts';

/** Tests how the look-up handles claimed details (contract M2 to M4). */

// Invented names. cspell:ignore Ebele Zikora Quddus
const NIN = '41234567890';
/** Replacements for fields of the usual test record, which has no phone number. */
const OTHER_FIELDS = { middlename: 'Ebele', phone: '08099998888' };
const CLAIMED: ClaimedDetails = { firstname: 'Zikora', lastname: 'Quddus', phone: '07011112222' };

async function verify(more: Partial<Command>, using: MatchRecord | null = matchRecord) {
  const queries: RegistryQuery[] = [];
  const lookUp = async (_: unknown, query: RegistryQuery) => {
    queries.push(query);
    const record: RegistryRecord = { ...USUAL_RECORD, nin: NIN, ...OTHER_FIELDS };
    return {
      result: { kind: 'found', record },
      provider: { name: 'one', displayName: 'One' },
      failedProviders: [],
    };
  };
  const command: Command = {
    service: 'nin-premium',
    idType: 'NIN',
    number: NIN,
    numberField: 'nin',
    needsPhoto: false,
    ...more,
  };
  const request = {
    deadlineMs: 0,
    requestId: 'req_0123456789ab',
    registryStates: () => ALWAYS_CLOSED,
    onAttempt: () => {},
  };
  const router = { lookUp } as unknown as RegistryRouter;
  const result = await verifyIdentity(
    command,
    'live',
    { ...request, matchRecord: using ?? undefined },
    router,
  );
  if (result.kind !== 'found' || result.content.type !== 'json') throw new Error('Nothing was found.');
  return { ...result.content, query: queries[0] };
}

test('a record that does not match is found, with the same data as without a match', async () => {
  const plain = await verify({});
  const matched = await verify({ match: CLAIMED });
  expect(matched.match).toMatchObject({ overall: 'none', score: expect.any(Number) });
  expect(Object.keys(matched.match?.fields ?? {})).toEqual(['firstname', 'lastname', 'phone']);
  expect(matched.data).toEqual(plain.data);
  expect('match' in plain).toBe(false);
});

test('every claimed detail is compared with the record', async () => {
  const { firstname, lastname, birthdate, gender } = USUAL_RECORD;
  const match = { firstname, lastname, birthdate, gender, ...OTHER_FIELDS } as ClaimedDetails;
  const { fields, overall } = (await verify({ match })).match ?? {};
  expect(overall).toBe('exact');
  expect(Object.keys(fields ?? {}).sort()).toEqual([...MATCH_FIELDS].sort());
  for (const field of MATCH_FIELDS) expect(fields?.[field]?.result).toBe('exact');
});

test('a match without the record returns the number, and no other text from the registry or the caller', async () => {
  const { data, match } = await verify({ match: CLAIMED, isMatchOnly: true });
  expect(data).toEqual({ nin: NIN });
  const text = JSON.stringify([data, match]);
  for (const canary of identifyingTexts({ ...USUAL_RECORD, nin: '' })) expect(text).not.toContain(canary);
  for (const canary of Object.values(CLAIMED)) expect(text).not.toContain(canary);
});

test.each<[string, ClaimedDetails | undefined, object | undefined]>([
  ['both names', CLAIMED, { firstname: 'Zikora', lastname: 'Quddus' }],
  ['the first name only', { firstname: 'Zikora', phone: '07011112222' }, undefined],
  ['the last name only', { lastname: 'Quddus' }, undefined],
  ['no details', undefined, undefined],
])('with %s, the query has both names or none, and no other claimed details', async (_, match, names) => {
  const { query } = await verify(match ? { match } : {});
  expect(query?.names).toEqual(names);
  expect(JSON.stringify({ ...query, names: undefined })).not.toMatch(/Zikora|Quddus|07011112222/);
});

test('a route that reads details without comparing them fails before the charge', async () => {
  await expect(verify({ match: CLAIMED }, null)).rejects.toThrow('does not match them');
});
