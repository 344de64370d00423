import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { samplesFor } from '../../../clients/operator/conformance/published-samples.ts';
import { TEST_NUMBERS } from '../../../clients/operator/conformance/test-numbers.ts';
import { canonicalNumber } from '../../../shared/core/numbers.ts';
import { fieldsOf } from '../../../shared/operators/json-structure.ts';
import {
  LIVE_PROVIDER_NAMES,
  LIVE_PROVIDERS,
  needsNames,
} from '../../../shared/registries/providers/catalogue.ts';

/** `registry test` compares live responses with samples derived from the providers' published responses. */

const FIXTURES = 'test/fixtures/providers';
const FILE = new URL('../../../clients/operator/conformance/published-samples.json', import.meta.url);

test('the samples are derived from the fixtures (UPDATE=1 writes them)', () => {
  const samples = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(`${FIXTURES}/${file}`, 'utf8')))
    .filter(({ kind }) => kind === 'found')
    .map(({ provider, product, source, path, complete, body }) => ({
      provider,
      product,
      source,
      path,
      complete,
      fields: fieldsOf(body),
    }));
  if (process.env['UPDATE'] === '1') writeFileSync(FILE, `${JSON.stringify(samples, null, 2)}\n`);

  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(samples);
});

test('the samples contain no values of fixtures, only names and types of fields', () => {
  const types = new Set(['string', 'number', 'boolean', 'null', 'object', 'list']);
  const samples = JSON.parse(readFileSync(FILE, 'utf8')) as { fields: Record<string, string> }[];

  for (const { fields } of samples) {
    for (const [path, type] of Object.entries(fields)) {
      expect(type.split(' or ').filter((one) => !types.has(one))).toEqual([]);
      expect(path).not.toMatch(/\d{5}/);
    }
  }
});

describe('a request is compared with the samples of its product:', () => {
  test.each([
    ['prembly', '/verification/vnin-basic', ['nin-basic']],
    ['prembly', '/older/verification/vnin-basic/', ['nin-basic']],
    ['prembly', '/verification/tin', ['tin', 'tin', 'tin']],
    ['qoreid', '/v2/ng/identities/tin/10482739-0001', ['tin', 'tin']],
    ['qoreid', '/v2/ng/identities/unknown/10482739-0001', []],
    ['dojah', '/verification/tin', []],
    ['prembly', '/tin', []],
  ])('%s %s: %j', (provider, path, products) => {
    expect(samplesFor(provider, path).map(({ product }) => product)).toEqual(products);
  });
});

describe('the test numbers', () => {
  const [, table = ''] = readFileSync(`${FIXTURES}/README.md`, 'utf8').split('\n## Test numbers\n');
  const published = new Map(
    LIVE_PROVIDER_NAMES.map((name) => [
      name,
      table.split('\n').find((line) => line.startsWith(`| ${LIVE_PROVIDERS[name].displayName} |`)),
    ]),
  );

  test.each(LIVE_PROVIDER_NAMES)(
    'of %s are published and canonical, are of types that it serves, and have names if it needs them',
    (name) => {
      for (const { idType, number, bankCode = '', names } of TEST_NUMBERS[name]) {
        if (needsNames(name, idType))
          expect(published.get(name)).toContain(`${names?.firstname} ${names?.lastname}`);
        expect(published.get(name)).toContain(number.replace(/^RC/, ''));
        expect(published.get(name)).toContain(bankCode);
        expect(canonicalNumber(idType, number)).toBe(number);
        expect(Object.keys(LIVE_PROVIDERS[name].idTypes)).toContain(idType);
      }
    },
  );
});
