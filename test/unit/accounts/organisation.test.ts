import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { switchService } from '../../../shared/accounts/console/switch-service.ts';
import { withoutServices, withPrice, withServices } from '../../../shared/accounts/manage-organisation.ts';
import {
  isAdmitted,
  isSubscribed,
  newOrganisation,
  type Organisation,
  organisation,
  servicePrice,
} from '../../../shared/accounts/organisation.ts';

const fresh = newOrganisation('Invented Lender', new Date('2026-01-01T00:00:00Z'));

describe('admission to the service (contract B3):', () => {
  test.each([
    ['PENDING', 'live', false],
    ['PENDING', 'test', true],
    ['APPROVED', 'live', true],
    ['APPROVED', 'test', true],
    ['SUSPENDED', 'live', false],
    ['SUSPENDED', 'test', false],
  ] as const)('an organisation with the status %s may use a %s key: %s', (status, env, admitted) => {
    expect(isAdmitted(status, env)).toBe(admitted);
  });

  test('live keys need a subscription, but test keys do not', () => {
    const { services } = withServices(fresh, ['nin-basic']);

    expect(isSubscribed(services, 'nin-basic', 'live')).toBe(true);
    expect(isSubscribed(services, 'nin-premium', 'live')).toBe(false);
    expect(isSubscribed(services, 'nin-premium', 'test')).toBe(true);
    expect(isSubscribed(services, 'constructor', 'live')).toBe(false);
  });
});

describe('an organisation', () => {
  test('starts as pending, without services and with one shard', () => {
    expect(fresh).toMatchObject({ status: 'PENDING', services: {}, walletShards: 1, version: 1 });
    expect(fresh.id).toMatch(/^[0-9A-Za-z]{10}$/);
  });

  test('keeps the price of a service that is disabled and enabled again', () => {
    const priced = withPrice(withServices(fresh, ['nin-basic']), 'nin-basic', 3);
    expect(servicePrice(priced, 'nin-basic')).toBe(3);

    const disabled = withoutServices(priced, ['nin-basic']);
    expect(disabled.services).toEqual({});
    const again = withServices(disabled, ['nin-basic', 'nin-slip']);
    expect(again.services).toEqual({ 'nin-basic': {}, 'nin-slip': {} });
    expect(again.prices).toEqual({ 'nin-basic': 3 });
    expect(servicePrice(again, 'nin-slip')).toBeUndefined();
  });

  test('takes its prices only from the attribute that the console may not write', () => {
    const services = { 'nin-basic': { price: 0 } };
    expect(servicePrice(v.parse(organisation, { ...fresh, services }), 'nin-basic')).toBeUndefined();

    const priced = { ...fresh, services, prices: { 'nin-basic': 2 } };
    expect(servicePrice(v.parse(organisation, priced), 'nin-basic')).toBe(2);
  });

  test('cannot be given a price for a service that is not enabled', () => {
    expect(() => withPrice(fresh, 'nin-basic', 3)).toThrow('nin-basic is not enabled');
  });
});

describe('a member enables a service for BVN', () => {
  const row = newOrganisation('Harmattan', new Date(0));
  const written: Organisation[] = [];
  const table = {
    getOrganisation: async () => row,
    updateOrganisation: async (_: Organisation, after: Organisation) => written.push(after) > 0,
  };

  test('only if the operator has recorded a licence or an exception', async () => {
    await expect(switchService(row, 'bvn-basic', true, table)).rejects.toThrow('licence or an exception');
    expect(written).toEqual([]);
    expect((await switchService(row, 'nin-basic', true, table)).services).toEqual({ 'nin-basic': {} });
    const licensed = { ...row, bvnBasis: 'CBN licence 1' };
    expect((await switchService(licensed, 'bvn-premium', true, table)).services).toEqual({
      'bvn-premium': {},
    });
  });

  test('and disables it in any case', async () => {
    const enabled = { ...row, services: { 'bvn-basic': {} } };
    expect((await switchService(enabled, 'bvn-basic', false, table)).services).toEqual({});
  });
});
