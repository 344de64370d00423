import { expect, test } from '@jest/globals';
import { newOrganisation, type Organisation } from '../../../shared/accounts/organisation.ts';
import { concernedOrganisations } from '../../../shared/webhooks/concerned-organisations.ts';

/** The organisations that get a webhook about an event. */

const organisation = (name: string, change: Partial<Organisation>): Organisation => ({
  ...newOrganisation(name, new Date('2026-11-22T12:00:00.000Z')),
  id: name,
  ...change,
});
const NIN = { 'nin-basic': {} };
const ALL = [
  organisation('approved', { status: 'APPROVED', services: NIN }),
  organisation('suspended', { status: 'SUSPENDED', services: NIN }),
  organisation('pending', { status: 'PENDING', services: NIN }),
  organisation('of-tax-numbers', { status: 'APPROVED', services: { 'tin-basic': {} } }),
  organisation('without-wallet', { status: 'APPROVED', services: NIN }),
];
const deps = {
  organisations: {
    getOrganisations: async (ids: readonly string[]) => ALL.filter(({ id }) => ids.includes(id)),
  },
  shards: {
    listShards: async () =>
      ALL.slice(0, 4).map(({ id }) => ({ wallet: { env: 'live', organisationId: id } as const, shard: 0 })),
  },
};
const concerned = async (detail: Record<string, string>) =>
  (await concernedOrganisations({ detail }, deps)).map(({ id }) => id);

test('an event about a registry concerns the approved organisations that use it and have a live wallet', async () => {
  expect(await concerned({ id_type: 'NIN' })).toEqual(['approved']);
  expect(await concerned({ id_type: 'BVN' })).toEqual([]);
});

test('an event about an organisation concerns that organisation, unless it is not approved', async () => {
  expect(await concerned({ organisation: 'without-wallet' })).toEqual(['without-wallet']);
  for (const organisation of ['suspended', 'pending']) expect(await concerned({ organisation })).toEqual([]);
});
