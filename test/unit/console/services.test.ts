import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { changeServiceBody } from '../../../shared/accounts/console/bodies.ts';
import { changeService, listServices } from '../../../shared/accounts/console/services.ts';
import type { ServiceView } from '../../../shared/accounts/console/views.ts';
import { changeOrganisation, withPrice, withServices } from '../../../shared/accounts/manage-organisation.ts';
import type { Organisation } from '../../../shared/accounts/organisation.ts';
import { organisationTable } from '../../../shared/accounts/organisation-table.ts';
import { organisationKey } from '../../../shared/core/keys.ts';
import type { Role } from '../../../shared/core/member-role.ts';
import { consoleRoute } from '../../../shared/members/middleware/console-route.ts';
import { SERVICE_NAMES } from '../../../shared/verifications/services.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';
import {
  type Browser,
  type MemoryConsole,
  memoryConsole,
  ORIGIN,
} from '../../support/console/memory-console.ts';

/** Services in the console: what members see of them, and what enabling and disabling changes. */

let service: MemoryConsole;
let output: CapturedOutput;
beforeEach(() => {
  process.env['CONSOLE_URL'] = ORIGIN;
  service = memoryConsole();
  output = captureOutput();
});
afterEach(() => output.restore());

const operators = () => organisationTable(service.client, 'ApiKeys');

function member(role: Role, organisation: Organisation): Browser {
  const person = service.newPerson();
  service.newMember(person, organisation, role);
  return service.newSession(person, organisation);
}
const list = async (browser: Browser): Promise<ServiceView[]> => {
  const { json } = await service.send(
    consoleRoute('list-services', listServices(), {}, service.deps),
    'list-services',
    browser,
  );
  return json?.data.services;
};
const change = (browser: Browser, name: string, body: unknown) =>
  service.send(
    consoleRoute(
      'change-service',
      changeService((recorder) => organisationTable(service.client, 'ApiKeys', recorder)),
      { body: changeServiceBody },
      service.deps,
    ),
    'change-service',
    browser,
    { body, pathParameters: { service: name } },
  );
const stored = (id: string) => operators().getOrganisation(id);

describe('the list of services', () => {
  test('has every service with its price and the fields of its record', async () => {
    const services = { 'nin-basic': {}, 'tin-basic': {} };
    const organisation = service.newOrganisation({ services, prices: { 'nin-basic': 3, 'bvn-basic': 7 } });
    const shown = await list(member('viewer', organisation));

    expect(shown.map(({ name }) => name)).toEqual(SERVICE_NAMES);
    const byName = new Map(shown.map((one) => [one.name, one]));
    expect(byName.get('nin-basic')).toEqual({
      name: 'nin-basic',
      id_type: 'NIN',
      is_enabled: true,
      price_credits: 3,
      returns: [
        'nin',
        'firstname',
        'lastname',
        'middlename',
        'phone',
        'gender',
        'birthdate',
        'photo',
        'residence',
      ],
    });
    // A price is kept while its service is disabled.
    expect(byName.get('bvn-basic')).toMatchObject({ is_enabled: false, price_credits: 7 });
    expect(byName.get('tin-basic')).toMatchObject({ is_enabled: true, price_credits: 1 });
    for (const { name, returns } of shown)
      expect(returns.length > 2 || (name === 'nin-slip' && returns.length === 0)).toBe(true);
  });
});

describe('a service', () => {
  test('is enabled and disabled, and its price is kept', async () => {
    const organisation = service.newOrganisation({ prices: { 'nin-basic': 3 } });
    const admin = member('admin', organisation);

    const enabled = await change(admin, 'nin-basic', { is_enabled: true });
    expect(enabled.json?.data).toMatchObject({ name: 'nin-basic', is_enabled: true, price_credits: 3 });
    expect(await stored(organisation.id)).toEqual({
      ...organisation,
      services: { 'nin-basic': {} },
      version: 2,
    });

    const disabled = await change(admin, 'nin-basic', { is_enabled: false });
    expect(disabled.json?.data).toMatchObject({ is_enabled: false, price_credits: 3 });
    expect(await stored(organisation.id)).toEqual({ ...organisation, version: 3 });
    expect(service.auditEntries()).toMatchObject([
      {
        action: 'service change',
        target: 'service nin-basic',
        before: { enabled: false },
        after: { enabled: true },
      },
      {
        action: 'service change',
        target: 'service nin-basic',
        before: { enabled: true },
        after: { enabled: false },
      },
    ]);
  });

  test('that is already in the requested state is not changed, and nothing is recorded', async () => {
    const organisation = service.newOrganisation();
    const { status } = await change(member('owner', organisation), 'nin-basic', { is_enabled: false });

    expect(status).toBe(200);
    expect(await stored(organisation.id)).toEqual(organisation);
    expect(service.auditEntries()).toEqual([]);
  });

  test('is switched without undoing what an operator changes at the same time', async () => {
    const organisation = service.newOrganisation({ services: { 'bvn-basic': {} } });
    let isFirst = true;
    service.hooks.onCall = async ({ input }) => {
      if (!('TransactItems' in input) || !isFirst) return;
      isFirst = false;
      await changeOrganisation(operators(), organisation.id, (row) =>
        withPrice(withServices({ ...row, status: 'APPROVED' }, ['tin-basic']), 'tin-basic', 5),
      );
    };
    const { status } = await change(member('admin', organisation), 'nin-basic', { is_enabled: true });

    expect(status).toBe(200);
    expect(await stored(organisation.id)).toEqual({
      ...organisation,
      status: 'APPROVED',
      services: { 'bvn-basic': {}, 'tin-basic': {}, 'nin-basic': {} },
      prices: { 'tin-basic': 5 },
      version: 3,
    });
    expect(service.auditEntries()).toHaveLength(1);
  });

  test('is not switched while others keep changing the organisation', async () => {
    const organisation = service.newOrganisation();
    let versions = 0;
    service.hooks.onCall = async ({ input }) => {
      if (!('TransactItems' in input)) return;
      versions += 1;
      service.put('ApiKeys', {
        ...organisationKey(organisation.id),
        ...organisation,
        version: 100 + versions,
      });
    };
    const response = await change(member('admin', organisation), 'nin-basic', { is_enabled: true });

    expect(response).toMatchObject({ status: 409, code: 'CHANGED_MEANWHILE' });
    expect((await stored(organisation.id))?.services).toEqual({});
    expect(service.auditEntries()).toEqual([]);
  });

  test.each([
    ['a string', { is_enabled: 'yes' }, 'is_enabled'],
    ['nothing', {}, 'is_enabled'],
    ['a price', { is_enabled: true, price: 0 }, 'price'],
    ['a status', { is_enabled: true, status: 'APPROVED' }, 'status'],
  ])('is not changed by a body with %s', async (_, body, field) => {
    const organisation = service.newOrganisation();
    const { code, json } = await change(member('owner', organisation), 'nin-basic', body);

    expect([code, json?.error?.field]).toEqual(['INVALID_SCHEMA', field]);
    expect(await stored(organisation.id)).toEqual(organisation);
  });

  test.each(['nin', 'NIN-BASIC', 'constructor', '', 'passport-basic'])(
    'named %p does not exist',
    async (name) => {
      const organisation = service.newOrganisation();
      const response = await change(member('owner', organisation), name, { is_enabled: true });

      expect(response).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
      expect(await stored(organisation.id)).toEqual(organisation);
    },
  );

  test('of another organisation is never switched', async () => {
    const [own, other] = [service.newOrganisation(), service.newOrganisation()];
    await change(member('owner', own), 'nin-basic', { is_enabled: true });

    expect(await stored(other.id)).toEqual(other);
  });
});
