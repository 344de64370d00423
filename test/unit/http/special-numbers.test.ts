import { describe, expect, test } from '@jest/globals';
import type { IdType } from '../../../shared/core/id-types.ts';
import { NO_STATES } from '../../../shared/registries/health/state-copies.ts';
import { EMPTY_NIN } from '../../../shared/registries/mapping/records/nin.ts';
import type { RegistryProvider, RegistryResult } from '../../../shared/registries/port.ts';
import { LIVE_PROVIDERS, type LiveProviderName } from '../../../shared/registries/providers/catalogue.ts';
import { builtInSandbox } from '../../../shared/registries/providers/sandbox/built-in.ts';
import { registryRouter } from '../../../shared/registries/router.ts';
import { verificationRoute } from '../../../shared/verifications/middleware/charged-route.ts';
import { dedicatedBody, gatewayBody } from '../../../shared/verifications/requests.ts';
import { invoke } from '../../security/in-process.ts';
import { memoryService } from '../../security/memory-service.ts';
import { EMPTY_TIN } from '../../support/registries/empty-records.ts';

/** Virtual NINs on the NIN routes, and NINs and RC numbers on the TIN route (contract D6). */

const VNIN = 'AB012345678910YZ';
const ROUTES = {
  NIN: { name: 'nin-basic', idType: 'NIN', body: dedicatedBody('nin-basic') },
  TIN: { name: 'tin-basic', idType: 'TIN', body: dedicatedBody('tin-basic') },
  gateway: { name: 'verify-identity', errorStyle: 'gateway', body: gatewayBody },
} as const;

/** Sends a live request to a route whose providers find every number. */
async function verify(route: keyof typeof ROUTES, names: readonly LiveProviderName[], body: object) {
  const service = memoryService();
  const asked: string[] = [];
  const found = (idType: IdType, number: string): RegistryResult => ({
    kind: 'found',
    record:
      idType === 'TIN'
        ? { ...EMPTY_TIN, tin: number, name: 'EXAMPLE' }
        : { ...EMPTY_NIN, nin: number, lastname: 'EXAMPLE' },
  });
  const registries = registryRouter({
    routing: { NIN: [...names], TIN: [...names] },
    makeProvider: (name): RegistryProvider => ({
      name,
      ...LIVE_PROVIDERS[name as LiveProviderName],
      lookUp: async ({ idType, number }) => {
        asked.push(`${name} ${number}`);
        return found(idType, number);
      },
    }),
    recorder: { record: async () => undefined, beginRead: () => NO_STATES, takeProbe: async () => true },
    nowMs: () => service.clock.nowMs,
  });
  const caller = await service.newCaller(5);
  const matchRecord = () => {
    throw new Error('No details were claimed.');
  };
  const handler = verificationRoute({ ...ROUTES[route], matchRecord }, { ...service.deps, registries });
  const requestedAtMs = service.clock.nowMs;
  const response = await invoke(handler, { key: caller.text, body: JSON.stringify(body), requestedAtMs });
  return { ...JSON.parse(response.body), asked, charges: service.charges().length };
}

const gateway = { country: 'NG', id_type: 'NIN', params: { id_number: VNIN } };

describe('a number of a special kind', () => {
  test.each([
    ['NIN', ['prembly', 'dojah'], { id_number: `${VNIN.toLowerCase()}\n` }, `dojah ${VNIN}`],
    ['gateway', ['qoreid'], gateway, `qoreid ${VNIN}`],
    ['TIN', ['dojah', 'prembly'], { id_number: '12345678901' }, 'prembly 12345678901'],
    ['TIN', ['dojah', 'qoreid', 'prembly'], { id_number: 'rc-7000' }, 'qoreid RC7000'],
  ] as const)(
    'on the route %s with %j is looked up where a provider takes it',
    async (route, names, body, call) => {
      const { success, data, asked, charges } = await verify(route, names, body);
      expect({ success, asked, charges }).toEqual({ success: true, asked: [call], charges: 1 });
      expect(Object.values(data)).toContain(call.split(' ')[1]);
    },
  );

  test.each([
    ['NIN', ['prembly'], { id_number: VNIN }, 'NIN_NOT_FOUND', 'id_number', /Send the NIN itself/],
    ['gateway', ['youverify'], gateway, 'INVALID_SCHEMA', 'params.id_number', /Send the NIN itself/],
    ['TIN', ['dojah'], { tin: '12345678901' }, 'TIN_NOT_FOUND', 'tin', /POST \/v1\/ng\/nin-basic/],
    ['TIN', ['youverify'], { id_number: 'RC7000' }, 'TIN_NOT_FOUND', 'id_number', /POST \/v1\/ng\/cac-basic/],
  ] as const)('on the route %s with %j is rejected with a hint, free of charge', async (...args) => {
    const [route, names, body, code, field, hint] = args;
    const rejected = await verify(route, names, body);
    expect(rejected).toMatchObject({ success: false, code, asked: [], charges: 0 });
    expect(rejected.error).toEqual({ reason: 'wrong_format', field, hint: expect.stringMatching(hint) });
    expect(JSON.stringify(rejected.error) + rejected.message).not.toMatch(/AB01|1234567|7000/);
  });

  test('of a type without a provider is unavailable, as any other number', async () => {
    expect(await verify('TIN', [], { id_number: '12345678901' })).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

describe('the sandbox', () => {
  const lookUp = (idType: IdType, number: string) =>
    builtInSandbox(async () => undefined).lookUp({
      idType,
      number,
      level: 'premium',
      deadlineMs: Date.now() + 50,
    });

  test.each([
    ['NIN', 'AB012345670404YZ', 'not-found'],
    ['NIN', 'AA1234567890404B', 'not-found'],
    ['NIN', 'AB012345670503YZ', 'unreachable'],
    ['NIN', VNIN, 'found'],
    ['TIN', '12345670404', 'not-found'],
    ['TIN', 'RC1230404', 'not-found'],
  ] as const)('the last four digits of the %s %s decide: %s', async (idType, number, kind) => {
    expect((await lookUp(idType, number)).kind).toBe(kind);
  });

  test.each([
    ['12345678901', 'NIN', { business_type: 'INDIVIDUAL', rc_number: '' }],
    ['RC1234567', 'RC', { business_type: 'COMPANY', rc_number: 'RC1234567' }],
  ] as const)('finds the taxpayer with the Tax ID %s', async (tin, tin_format, holder) => {
    expect(await lookUp('TIN', tin)).toMatchObject({ record: { tin, tin_format, ...holder } });
  });
});
