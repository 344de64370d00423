import { describe, expect, test } from '@jest/globals';
import { CATALOGUE, type ErrorCode } from '../../../shared/core/errors.ts';
import { ID_TYPES } from '../../../shared/core/id-types.ts';
import { failureCode } from '../../../shared/verifications/outcome-codes.ts';
import {
  gatewayService,
  SERVICE_NAMES,
  SERVICES,
  servicesNamed,
} from '../../../shared/verifications/services.ts';
import { viewSchema } from '../../../shared/verifications/views.ts';

describe('the service catalogue:', () => {
  test('it has exactly the services of contract E4, at one credit each', () => {
    expect(SERVICE_NAMES).toEqual([
      'nin-basic',
      'nin-premium',
      'bvn-basic',
      'bvn-premium',
      'cac-basic',
      'cac-premium',
      'tin-basic',
      'nuban-basic',
      'nin-slip',
    ]);
    expect(SERVICE_NAMES.map((name) => SERVICES[name].price)).toEqual(SERVICE_NAMES.map(() => 1));
  });

  test('an ID type selects all its services, a service name selects only that service, and other names select nothing', () => {
    expect(servicesNamed('NIN')).toEqual(['nin-basic', 'nin-premium', 'nin-slip']);
    expect(servicesNamed('TIN')).toEqual(['tin-basic']);
    expect(servicesNamed('nin-slip')).toEqual(['nin-slip']);
    expect([servicesNamed('nin'), servicesNamed('constructor'), servicesNamed('')]).toEqual([[], [], []]);
  });

  test('the unified gateway selects a service by ID type and level', () => {
    expect([gatewayService('BVN', 'basic'), gatewayService('CAC', 'premium')]).toEqual([
      'bvn-basic',
      'cac-premium',
    ]);
    expect([gatewayService('TIN', 'basic'), gatewayService('NUBAN', 'premium')]).toEqual([
      'tin-basic',
      undefined,
    ]);
  });

  test('a premium record has all fields of the basic record, and more', () => {
    for (const idType of ['nin', 'bvn', 'cac'] as const) {
      const basic = Object.keys(viewSchema(`${idType}-basic`).entries);
      const premium = Object.keys(viewSchema(`${idType}-premium`).entries);
      expect(premium).toEqual(expect.arrayContaining(basic));
      expect(premium.length).toBeGreaterThan(basic.length);
    }
  });
});

describe('the error catalogue:', () => {
  test('every code has an error status and a complete sentence as its message', () => {
    for (const [code, entry] of Object.entries(CATALOGUE)) {
      expect(code).toMatch(/^[A-Z_]+$/);
      expect(entry.status).toBeGreaterThanOrEqual(400);
      expect(entry.message).toMatch(/^[A-Z].*\.$/);
    }
  });

  test.each(ID_TYPES)('%s has its own error codes', (idType) => {
    expect(CATALOGUE[`${idType}_NOT_FOUND`].status).toBe(400);
    expect(CATALOGUE[`${idType}_VERIFICATION_FAILED`].status).toBe(400);
  });

  test('the code of an outcome depends on the error style (specification "Errors")', () => {
    const codes = (errorStyle: 'dedicated' | 'gateway'): ErrorCode[] =>
      (['not-found', 'failed', 'unreachable', 'timeout'] as const).map((kind) =>
        failureCode(kind, 'NIN', errorStyle),
      );

    expect(codes('dedicated')).toEqual([
      'NIN_NOT_FOUND',
      'NIN_VERIFICATION_FAILED',
      'SERVICE_UNAVAILABLE',
      'TIMEOUT',
    ]);
    expect(codes('gateway')).toEqual([
      'RECORD_NOT_FOUND',
      'VERIFICATION_FAILED',
      'SERVICE_UNAVAILABLE',
      'SERVICE_UNAVAILABLE',
    ]);
  });
});
