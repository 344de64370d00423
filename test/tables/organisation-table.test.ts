import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  changeOrganisation,
  withLowBalance,
  withServices,
} from '../../shared/accounts/manage-organisation.ts';
import { newOrganisation, type Organisation } from '../../shared/accounts/organisation.ts';
import { type OrganisationTable, organisationTable } from '../../shared/accounts/organisation-table.ts';
import { organisationKey } from '../../shared/core/keys.ts';
import { openStateTable, type StateTable } from '../registries/local-state-table.ts';

/** Changes to organisations in DynamoDB Local. Each writes only the attributes that it changes. */

let tables: StateTable;
let organisations: OrganisationTable;
beforeAll(async () => {
  tables = await openStateTable();
  organisations = organisationTable(tables.client, tables.tableName);
});
afterAll(() => tables.close());

async function stored(id: string): Promise<Record<string, unknown>> {
  const { Item = {} } = await tables.client.send(
    new GetCommand({ TableName: tables.tableName, Key: organisationKey(id), ConsistentRead: true }),
  );
  return Item;
}

/** Stores an organisation as the console does: without a status or limits. No code knows the attribute `extra`. */
async function fromConsole(): Promise<Organisation> {
  const { id, name, createdAt } = newOrganisation('Kainji Pay', new Date('2026-11-01T00:00:00Z'));
  const Item = { ...organisationKey(id), id, name, createdAt, version: 1, extra: 'kept' };
  await tables.client.send(new PutCommand({ TableName: tables.tableName, Item }));
  return (await organisations.getOrganisation(id)) as Organisation;
}

describe('a change to an organisation', () => {
  test('sets and removes the attributes that differ, and leaves all others unchanged', async () => {
    const { id } = await fromConsole();
    const before = await stored(id);

    await changeOrganisation(organisations, id, (row) => withServices(row, ['nin-basic']));
    expect(await stored(id)).toEqual({ ...before, services: { 'nin-basic': {} }, version: 2 });

    await changeOrganisation(organisations, id, (row) => withLowBalance(row, 500));
    await changeOrganisation(organisations, id, (row) => withLowBalance(row, undefined));
    expect(await stored(id)).toEqual({ ...before, services: { 'nin-basic': {} }, version: 4 });
  });

  test('that changes nothing writes nothing', async () => {
    const { id } = await fromConsole();
    tables.commands();
    await changeOrganisation(organisations, id, (row) => ({ ...row }));

    expect(tables.commands()).toEqual(['GetItemCommand']);
    expect(await stored(id)).toMatchObject({ version: 1 });
  });

  test('applies only to the version that was read', async () => {
    const row = await fromConsole();
    expect(await organisations.updateOrganisation(row, { ...row, name: 'First' })).toBe(true);
    expect(await organisations.updateOrganisation(row, { ...row, name: 'Second' })).toBe(false);
    expect(await stored(row.id)).toMatchObject({ name: 'First', version: 2 });

    const missing = { ...row, id: 'aaaaaaaaaa' };
    expect(await organisations.updateOrganisation(missing, { ...missing, name: 'New' })).toBe(false);
    expect(await stored('aaaaaaaaaa')).toEqual({});
  });

  test('that succeeds is not lost if five are made at the same time', async () => {
    const { id } = await fromConsole();
    const services = Array.from({ length: 5 }, (_, index) => `service-${index}`);
    const changes = services.map((service) =>
      changeOrganisation(organisations, id, (row) => withServices(row, [service])),
    );
    const results = await Promise.allSettled(changes);
    const applied = services.filter((_, index) => results[index]?.status === 'fulfilled');

    expect(Object.keys((await stored(id))['services'] as object).sort()).toEqual(applied);
    expect(applied.length).toBeGreaterThan(0);
  });
});
