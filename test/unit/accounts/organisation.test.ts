import { describe, expect, test } from '@jest/globals';
import { withoutServices, withPrice, withServices } from '../../../shared/accounts/manage-organisation.ts';
import { isAdmitted, isSubscribed, newOrganisation } from '../../../shared/accounts/organisation.ts';

const fresh = newOrganisation('Invented Lender', new Date('2026-01-01T00:00:00Z'));

describe('who may use the service (decision B3)', () => {
  test.each([
    ['PENDING', 'live', false],
    ['PENDING', 'test', true],
    ['APPROVED', 'live', true],
    ['APPROVED', 'test', true],
    ['SUSPENDED', 'live', false],
    ['SUSPENDED', 'test', false],
  ] as const)('an organisation that is %s, with a %s key: %s', (status, env, admitted) => {
    expect(isAdmitted(status, env)).toBe(admitted);
  });

  test('live keys need a subscription, test keys do not', () => {
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

  test('keeps the price of a service that is enabled again', () => {
    const priced = withPrice(withServices(fresh, ['nin-basic']), 'nin-basic', 3);

    expect(withServices(priced, ['nin-basic', 'nin-slip']).services).toEqual({
      'nin-basic': { price: 3 },
      'nin-slip': {},
    });
    expect(withoutServices(priced, ['nin-basic']).services).toEqual({});
  });

  test('has no price for a service that is not enabled', () => {
    expect(() => withPrice(fresh, 'nin-basic', 3)).toThrow('nin-basic is not enabled');
  });
});
