import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { bankByCode } from '../../../shared/registries/mapping/banks.ts';
import type { RegistryResult } from '../../../shared/registries/port.ts';
import {
  LIVE_PROVIDER_NAMES,
  type LiveProviderName,
} from '../../../shared/registries/providers/catalogue.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { RECORD_SCHEMAS } from '../../support/registries/ask.ts';
import type {
  FixtureCase,
  FixtureQuery,
  ProviderCases,
  RequestDifference,
} from '../../support/registries/cases/case.ts';
import {
  type DoubleRequest,
  startDouble,
  startProviderDouble,
  type TestDouble,
} from '../../support/registries/double.ts';
import {
  bodyOf,
  FIXTURES,
  fixtureNamed,
  type Json,
  leafAt,
  leafPaths,
  type ProviderFixture,
  withLeaf,
} from '../../support/registries/fixtures.ts';
import { PROVIDER_CASES } from '../../support/registries/provider-cases.ts';

/** The response of the next look-up. All other paths are 404. */
let served: { readonly method: string; readonly path: string; readonly status: number; readonly body: Json };
let besides: Readonly<Record<string, unknown>> = {};
let double: TestDouble;

beforeAll(async () => {
  double = await startDouble(({ method, path }) => {
    const other = besides[`${method} ${path}`];
    if (other !== undefined) return { status: 200, body: other };
    return method === served.method && path === served.path
      ? served
      : { status: 404, body: { wrong: 'address' } };
  });
});
afterAll(() => double.stop());

interface LookUp {
  readonly provider: LiveProviderName;
  readonly cases: ProviderCases;
  readonly fixture: ProviderFixture;
  readonly query: FixtureQuery;
  readonly request?: RequestDifference | undefined;
  readonly body?: Json;
}

/** Looks up a number while a server on this machine serves the fixture at its documented address. */
async function lookUp({ provider, cases, fixture, query, request, body }: LookUp): Promise<RegistryResult> {
  const basePath = request?.basePath ?? '';
  served = {
    method: fixture.method,
    path: request?.path === undefined ? fixture.path : `${basePath}${request.path}`,
    status: fixture.status,
    body: body ?? fixture.body,
  };
  besides = cases.besides ?? {};
  const secret = { ...cases.secret, baseUrl: `${double.baseUrl}${basePath}` };
  const adapter = liveProvider(provider, { credentials: async () => secret, allowLocal: true });
  const bank = bankByCode(query.bankCode ?? '');
  return adapter.lookUp({ ...query, bank, deadlineMs: Date.now() + 5_000 });
}

/** The last request, as the parameters that a fixture documents. */
function sent({ query, json }: DoubleRequest): Readonly<Record<string, unknown>> {
  return { ...Object.fromEntries(query), ...json };
}

function documented(
  fixture: ProviderFixture,
  omits: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const parameters = Object.entries({ ...fixture.request.query, ...fixture.request.body });
  return Object.fromEntries(parameters.filter(([name]) => !omits.includes(name)));
}

/** Another value of the same kind as the one in the fixture, so that a field that is read gives another result. */
function otherValue(path: string, value: Json): Json {
  const name = /[^.[\]]*$/.exec(path.replace(/\[\]$/, ''))?.[0] ?? '';
  if (typeof value === 'boolean') return !value;
  if (/photo|image|picture|signature/i.test(name)) return PORTRAITS.hausa.f;
  if (/gender/i.test(name)) return /^f/i.test(String(value)) ? 'm' : 'f';
  if (/date|dob$/i.test(name)) return '02-02-2002';
  if (/phone|mobile/i.test(name)) return '08099999999';
  if (/affiliates$|share_?capital$|numShares/i.test(name)) return 4_321;
  return 'CHANGED';
}

/** The fields of a body that influence the result, and those that do not. */
async function fieldsByUse(one: LookUp): Promise<{ readonly used: string[]; readonly unused: string[] }> {
  const original = one.body ?? one.fixture.body;
  const result = JSON.stringify(await lookUp(one));
  const fields: { readonly used: string[]; readonly unused: string[] } = { used: [], unused: [] };
  for (const path of leafPaths(original)) {
    const body = withLeaf(original, path, otherValue(path, leafAt(original, path)));
    const isUsed = JSON.stringify(await lookUp({ ...one, body })) !== result;
    (isUsed ? fields.used : fields.unused).push(path);
  }
  return fields;
}

function droppedFields({ dropped }: ProviderCases, product: string): readonly string[] {
  return dropped
    .filter(({ products }) => products?.includes(product) ?? true)
    .flatMap(({ fields }) => fields);
}

const namesIn = (provider: LiveProviderName) =>
  FIXTURES.filter((one) => one.provider === provider).map(({ name }) => name.replace(`${provider}/`, ''));

describe.each(LIVE_PROVIDER_NAMES)('the fixtures of %s', (provider) => {
  const cases = PROVIDER_CASES[provider];
  const casesOf = <K extends FixtureCase['kind']>(kind: K) =>
    Object.entries(cases.cases)
      .filter((entry): entry is [string, Extract<FixtureCase, { kind: K }>] => entry[1].kind === kind)
      .map(([name, one]) => [name, { ...one, fixture: fixtureNamed(`${provider}/${name}`) }] as const);

  test('are all listed, and found samples are found or unused', () => {
    expect(Object.keys(cases.cases).sort()).toEqual(namesIn(provider));
    for (const [, { fixture }] of casesOf('found')) expect(fixture.kind).toBe('found');
    for (const [, { fixture }] of casesOf('failure')) expect(fixture.kind).not.toBe('found');
  });

  test.each(casesOf('found'))('%s is found with the documented request', async (_, one) => {
    const { fixture, query, record, warning, request } = one;
    const result = await lookUp({ provider, cases, fixture, query, request });
    // Most samples shorten their pictures.
    expect({ pictureProblem: expect.anything(), ...result }).toEqual({
      kind: 'found',
      record,
      ...(warning && { warning }),
      pictureProblem: expect.anything(),
    });
    expect(v.safeParse(RECORD_SCHEMAS[query.idType], record).issues).toBeUndefined();
    const last = double.requests.at(-1);
    expect(last && sent(last)).toMatchObject(documented(fixture, request?.omits));
  });

  test.each(casesOf('found'))(
    'each field of %s influences the result or is listed as dropped',
    async (_, one) => {
      const { fixture, query, request } = one;
      const { used, unused } = await fieldsByUse({ provider, cases, fixture, query, request });
      const dropped = droppedFields(cases, fixture.product);
      expect(unused.filter((path) => !dropped.includes(path))).toEqual([]);
      expect(used.filter((path) => dropped.includes(path))).toEqual([]);
    },
  );

  test('have every field that is listed as dropped', () => {
    const found = casesOf('found').map(([, { fixture }]) => fixture);
    const missing = cases.dropped.flatMap(({ products, fields }) => {
      const bodies = found.filter(({ product }) => products?.includes(product) ?? true);
      const known = bodies.flatMap(({ body }) => leafPaths(body));
      return fields.filter((field) => !known.includes(field));
    });
    expect(missing).toEqual([]);
  });

  const failures = casesOf('failure');
  if (failures.length > 0) {
    test.each(failures)('%s is the documented failure', async (_, { fixture, queries, result, request }) => {
      expect(queries).not.toEqual([]);
      for (const query of queries) {
        // The same body at the address of each product.
        await lookUp({ provider, cases, fixture, query, request });
        const last = double.requests.at(-1);
        const at = {
          ...fixture,
          method: last?.method === 'GET' ? 'GET' : 'POST',
          path: last?.path ?? '',
        } as const;
        expect(await lookUp({ provider, cases, fixture: at, query })).toEqual(result);
      }
    });
  }

  const unused = casesOf('unused');
  if (unused.length > 0) {
    test.each(unused)('%s is a product that the adapter does not call', async (_, { fixture, query }) => {
      if (!query) return;
      const result = await lookUp({ provider, cases, fixture, query });
      expect(double.requests.at(-1)?.path).not.toBe(fixture.path);
      expect(result).toMatchObject({ kind: 'failed', detail: 'http-404' });
    });
  }
});

test('a field that is added to a sample is neither used nor listed', async () => {
  const fixture = fixtureNamed('prembly/nin-basic.found');
  const body = withLeaf(fixture.body, 'nin_data.blood_group', 'O');
  const query = { idType: 'NIN', number: '12345678901', level: 'basic' } as const;
  const cases = PROVIDER_CASES.prembly;
  const { unused } = await fieldsByUse({ provider: 'prembly', cases, fixture, query, body });
  const dropped = droppedFields(cases, fixture.product);
  expect(unused.filter((path) => !dropped.includes(path))).toEqual(['nin_data.blood_group']);
});

describe('the body of a test double', () => {
  test('is the body of the fixture with different values, also in lists', () => {
    const body = bodyOf('prembly/cac-advanced.found.2', {
      data: { rc_number: '1', directors: [{ surname: 'ONE' }, { surname: 'TWO' }] },
    });
    expect(body).toMatchObject({
      response_code: '00',
      data: {
        rc_number: '1',
        directors: [
          { surname: 'ONE', occupation: 'Trader' },
          { surname: 'TWO', occupation: 'Trader' },
        ],
      },
    });
  });

  test.each([
    ['an unknown field', { nin_data: { nin: '12345678901' } }, 'nin_data.nin'],
    ['an object instead of a value', { detail: { text: 'found' } }, 'single value'],
    ['a value instead of an object', { nin_data: 'nothing' }, 'is an object'],
  ])('cannot have %s', (_, values, message) => {
    expect(() => bodyOf('prembly/nin-basic.found', values)).toThrow(message);
  });

  test('with a field that the fixtures lack fails the suite', async () => {
    const sample = bodyOf('prembly/nin-basic.found') as { readonly nin_data: object };
    const bodies = [sample, { ...sample, nin_data: { ...sample.nin_data, nin: '12345678901' } }];
    for (const [index, body] of bodies.entries()) {
      const one = await startProviderDouble('prembly', () => ({ status: 200, body, product: 'nin-basic' }));
      await (await fetch(one.baseUrl)).text();
      if (index === 0) await one.stop();
      else await expect(one.stop()).rejects.toThrow('nin-basic: nin_data.nin');
    }
  });
});
