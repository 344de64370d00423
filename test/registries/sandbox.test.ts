import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LambdaFunctionURLEvent } from 'aws-lambda';
import * as v from 'valibot';
import { listen } from '../../infra/local/http-server.ts';
import { ID_TYPES, type IdType } from '../../shared/core/id-types.ts';
import { logger } from '../../shared/core/logger.ts';
import { numberFormat } from '../../shared/core/numbers.ts';
import { bankByCode } from '../../shared/registries/mapping/banks.ts';
import { checkDigit } from '../../shared/registries/mapping/nuban.ts';
import { cacRecord } from '../../shared/registries/mapping/records/cac.ts';
import type { RegistryProvider, RegistryQuery, RegistryRecords } from '../../shared/registries/port.ts';
import { sandboxProvider } from '../../shared/registries/providers/sandbox/sandbox.ts';
import { CULTURES, NAMES } from '../../shared/registries/sandbox/names.ts';
import { serveLookUp } from '../../shared/registries/sandbox/serve-look-up.ts';
import { RECORD_SCHEMAS } from '../support/registries/ask.ts';
import { startSandbox, unsigned } from '../support/sandbox-server.ts';

const NUMBERS: Record<IdType, (ending: string) => string> = {
  NIN: (ending) => `1234567${ending}`,
  BVN: (ending) => `2234567${ending}`,
  CAC: (ending) => `RC12${ending}`,
  TIN: (ending) => `12345678-${ending}`,
  NUBAN: (ending) => `012345${ending}`,
};

/** Returns a name without tone marks, dots or hooks, in capitals. */
function plain(name: string): string {
  const hooks: Readonly<Record<string, string>> = { Ɓ: 'B', Ɗ: 'D', Ƙ: 'K', Ƴ: 'Y' };
  const letters = name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase();
  return letters.replace(/[ƁƊƘƳ]/g, (letter) => hooks[letter] ?? '');
}

let sandbox: Awaited<ReturnType<typeof startSandbox>>;
let provider: RegistryProvider;
const lines: string[] = [];

beforeAll(async () => {
  logger.info = (message: unknown, ...more: unknown[]) => {
    lines.push(JSON.stringify([message, ...more]));
  };
  sandbox = await startSandbox('a-shared-secret');
  provider = sandboxProvider({ url: sandbox.url, secret: async () => 'a-shared-secret', sign: unsigned });
});
afterAll(() => sandbox.stop());

function ask(idType: IdType, number: string, more: Partial<RegistryQuery> = {}) {
  const bank = bankByCode(more.bankCode ?? '');
  return provider.lookUp({ idType, number, level: 'premium', deadlineMs: Date.now() + 5_000, bank, ...more });
}

async function record<T extends IdType>(
  idType: T,
  number: string,
  more: Partial<RegistryQuery> = {},
): Promise<RegistryRecords[T]> {
  const result = await ask(idType, number, more);
  if (result.kind !== 'found') throw new Error(`Expected a record, got ${result.kind} ${result.detail}`);
  return result.record as RegistryRecords[T];
}

describe('any well-formed number gives an invented record (contract G1)', () => {
  test.each([...ID_TYPES])('%s: always the same valid record, which contains the number', async (idType) => {
    const number = numberFormat(idType).example;
    const first = await record(idType, number);
    expect(await record(idType, number)).toEqual(first);
    expect(v.safeParse(RECORD_SCHEMAS[idType], first).issues).toBeUndefined();
    expect(JSON.stringify(first)).toContain(number);
    expect(await record(idType, NUMBERS[idType]('7777'))).not.toEqual(first);
  });

  test('200 numbers of each ID type all give valid records', async () => {
    for (const idType of ID_TYPES) {
      for (let index = 1000; index < 1200; index += 1) {
        const found = await record(idType, NUMBERS[idType](String(index)));
        expect(v.safeParse(RECORD_SCHEMAS[idType], found).issues).toBeUndefined();
      }
    }
  });

  test('people have Yoruba, Igbo and Hausa names in ASCII capitals', async () => {
    const names: string[] = [];
    for (let index = 1000; index < 1150; index += 1) {
      for (const idType of ['NIN', 'BVN'] as const) {
        const { firstname, lastname, middlename } = await record(idType, NUMBERS[idType](String(index)));
        for (const name of [firstname, lastname]) expect(name).toMatch(/^[A-Z]{3,}$/);
        expect(middlename).toMatch(/^[A-Z]*$/);
        names.push(firstname, lastname);
      }
      const { affiliatesData, directors } = await record('CAC', NUMBERS.CAC(String(index)));
      for (const { surname } of [...affiliatesData, ...directors]) expect(surname).toMatch(/^[A-Z]*$/);
      const { name } = await record('TIN', NUMBERS.TIN(String(index)));
      expect(name).toMatch(/^[A-Z]+(?: [A-Z-]+)+$/);
    }
    for (const culture of CULTURES)
      for (const list of [NAMES[culture].m, NAMES[culture].f, NAMES[culture].family])
        for (const name of list) expect(names).toContain(plain(name));
  });

  test('NIN and BVN records contain a real JPEG in base64', async () => {
    for (const idType of ['NIN', 'BVN'] as const) {
      const { photo } = await record(idType, numberFormat(idType).example);
      const bytes = Buffer.from(photo, 'base64');
      expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
      expect(bytes.length).toBeGreaterThan(4_000);
      expect(photo).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    }
  });

  test('dates are DD-MM-YYYY, and phone numbers have the local format', async () => {
    for (const idType of ['NIN', 'BVN'] as const) {
      const { birthdate, phone } = await record(idType, numberFormat(idType).example);
      expect(birthdate).toMatch(/^\d{2}-\d{2}-(?:19|20)\d{2}$/);
      expect(phone).toMatch(/^0[789]\d{9}$/);
    }
  });
});

describe('the numbers of one person belong together', () => {
  const KEYS = ['0012345678', '0000000001', '0000004711', '0098761234'];

  test.each(KEYS)('names and dates are equal in every record: %s', async (key) => {
    const nin = await record('NIN', `9${key}`);
    const bvn = await record('BVN', `2${key}`);
    const person = [nin.firstname, nin.middlename, nin.lastname, nin.birthdate, nin.gender, nin.phone];
    const parts = [nin.firstname, nin.middlename, nin.lastname].filter(Boolean);
    const [director] = (await record('CAC', `RC${key.slice(2)}`)).affiliatesData;

    expect([bvn.firstname, bvn.middlename, bvn.lastname, bvn.birthdate, bvn.gender, bvn.phone]).toEqual(
      person,
    );
    expect(bvn.nin).toBe(nin.nin);
    expect((await record('TIN', nin.nin)).name).toBe(parts.join(' '));
    expect((await record('TIN', key)).name).toBe(parts.join(' '));
    expect((await record('NUBAN', key)).account_name.split(' ').sort()).toEqual([...parts].sort());
    expect([director?.firstname, director?.otherName, director?.surname]).toEqual(person.slice(0, 3));
  });

  test('every BVN record contains a NIN of the same person', async () => {
    for (let index = 1000; index < 1050; index += 1) {
      const bvn = await record('BVN', NUMBERS.BVN(String(index)));
      const { firstname, lastname, birthdate } = await record('NIN', bvn.nin);
      expect([firstname, lastname, birthdate]).toEqual([bvn.firstname, bvn.lastname, bvn.birthdate]);
    }
  });

  test('a business has the same name in the tax and the company registry', async () => {
    const numbers = [
      'RC12345678',
      'RC7',
      ...Array.from({ length: 20 }, (_, index) => NUMBERS.TIN(String(1000 + index))),
    ];
    for (const number of numbers) {
      const { name, rc_number: rcNumber } = await record('TIN', number);
      if (rcNumber !== '') expect((await record('CAC', rcNumber)).companyName).toBe(name);
    }
  });
});

describe('the last four digits select the outcome', () => {
  test.each([...ID_TYPES])('%s', async (idType) => {
    const outcome = async (ending: string) => {
      const result = await ask(idType, NUMBERS[idType](ending));
      return result.kind === 'found' ? 'found' : [result.kind, result.detail];
    };
    expect(await outcome('0404')).toEqual(['not-found', 'RECORD_NOT_FOUND']);
    expect(await outcome('0400')).toEqual(['failed', 'SOURCE_ERROR']);
    expect(await outcome('0503')).toEqual(['unreachable', 'http-503']);
    expect(await outcome('0206')).toBe('found');
    await expect(outcome('0500')).rejects.toThrow('internal fault');
  });

  test('0504 does not respond in time', async () => {
    const started = Date.now();
    const result = await ask('NIN', NUMBERS.NIN('0504'), { deadlineMs: started + 300 });
    expect(result).toEqual({
      kind: 'timeout',
      detail: 'after-sending',
      maybeBilled: true,
      excludedFromHealth: true,
    });
    // Well below the sandbox's delay of 30 s, even on a busy machine.
    expect(Date.now() - started).toBeLessThan(15_000);
  });

  test('a slow look-up stops waiting when its client does, and the client still sees no response in time', async () => {
    const pauses: number[] = [];
    const patient = await startSandbox('a-shared-secret', async (delayMs) => {
      pauses.push(delayMs);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    });
    try {
      const config = { url: patient.url, secret: async () => 'a-shared-secret', sign: unsigned };
      const deadlineMs = Date.now() + 300;
      const query = { idType: 'NIN', number: NUMBERS.NIN('0504'), level: 'basic', deadlineMs } as const;
      expect((await sandboxProvider(config).lookUp(query)).kind).toBe('timeout');
      expect(pauses).toHaveLength(1);
      expect(pauses[0]).toBeLessThanOrEqual(300);
    } finally {
      await patient.stop();
    }
  });

  test('0206 is found without a photo', async () => {
    expect((await record('NIN', NUMBERS.NIN('0206'))).photo).toBe('');
    expect((await record('BVN', NUMBERS.BVN('0206'))).photo).toBe('');
  });

  test('0299 is found after about 3 s', async () => {
    const started = Date.now();
    expect((await ask('NIN', NUMBERS.NIN('0299'))).kind).toBe('found');
    expect(Date.now() - started).toBeGreaterThanOrEqual(2_900);
  });

  test('a company number with fewer than four digits selects no outcome', async () => {
    expect((await ask('CAC', 'RC404')).kind).toBe('found');
  });
});

describe('further endings select a variant of a person', () => {
  /** Returns the people in the records of several NINs, BVNs and business names (CAC) with this ending. */
  async function people(ending: string) {
    const all: { firstname: string; middlename: string; lastname: string }[] = [];
    for (let index = 10; index < 40; index += 1) {
      all.push(await record('NIN', `12345${index}${ending}`), await record('BVN', `22345${index}${ending}`));
      const [first] = (await record('CAC', `BN${index}${ending}`)).affiliatesData;
      if (first) all.push({ ...first, middlename: first.otherName, lastname: first.surname });
    }
    return all;
  }
  const GIVEN = CULTURES.flatMap((culture) => [...NAMES[culture].m, ...NAMES[culture].f].map(plain));
  const FAMILY = CULTURES.flatMap((culture) => NAMES[culture].family.map(plain));

  test('0301: given and family names have their tone marks, dots or hooked letters, in capitals and NFC', async () => {
    const all = await people('0301');
    expect(all).toHaveLength(90);
    for (const { firstname, lastname } of all)
      for (const name of [firstname, lastname]) {
        expect(name).toMatch(/[^A-Z]/);
        expect(name).toBe(name.normalize('NFC').toUpperCase());
      }
    const letters = all.map(({ firstname, lastname }) => firstname + lastname).join('');
    for (const letter of ['Ọ́', 'Ẹ', 'Ṣ', 'Ụ', 'Ị', 'Ɗ', 'Ƙ', 'Ƴ'])
      expect(letters).toContain(letter.normalize('NFC'));
  });

  test('0302: the given name and the family name are swapped', async () => {
    for (const { firstname, middlename, lastname } of await people('0302')) {
      expect(FAMILY).toContain(firstname);
      expect(['', ...GIVEN]).toContain(middlename);
      expect(GIVEN).toContain(lastname);
    }
  });

  test("0303: a married woman with her husband's family name, and her maiden name as middle name", async () => {
    for (const { firstname, middlename, lastname } of await people('0303')) {
      expect(GIVEN).toContain(firstname);
      expect(FAMILY).toContain(middlename);
      expect(FAMILY).toContain(lastname);
      expect(middlename).not.toBe(lastname);
    }
    const married = { gender: 'f', title: 'mrs', marital_status: 'married' };
    expect(await record('NIN', NUMBERS.NIN('0303'))).toMatchObject(married);
    expect(await record('BVN', NUMBERS.BVN('0303'))).toMatchObject({
      gender: 'f',
      title: 'Mrs',
      marital_status: 'Married',
    });
  });

  test('0304: the given and middle names are initials', async () => {
    for (const { firstname, middlename, lastname } of await people('0304')) {
      expect(firstname).toMatch(/^[A-Z]$/);
      expect(middlename).toMatch(/^[A-Z]$/);
      expect(FAMILY).toContain(lastname);
    }
  });

  test('0305: the day and month of birth are swapped; both orders are valid dates, and differ', async () => {
    const dates = new Set<string>();
    for (let index = 10; index < 60; index += 1) {
      for (const idType of ['NIN', 'BVN'] as const) {
        const { birthdate } = await record(idType, `12345${index}0305`);
        const [day = 0, month = 0] = birthdate.split('-').map(Number);
        expect(Math.max(day, month)).toBeLessThanOrEqual(12);
        expect(day).not.toBe(month);
        dates.add(birthdate.slice(0, 5));
      }
    }
    expect(dates.size).toBeGreaterThan(30);
  });

  test.each(['0301', '0302', '0303', '0304'])('%s: a tax number belongs to a person', async (ending) => {
    for (const number of [`12345678-${ending}`, `123456${ending}`, `123456789${ending}`])
      expect(await record('TIN', number)).toMatchObject({ business_type: 'INDIVIDUAL', rc_number: '' });
  });

  test('the same number always gives the same variant', async () => {
    const number = NUMBERS.NIN('0303');
    expect(await record('NIN', number)).toEqual(await record('NIN', number));
  });
});

describe('registrations of every type', () => {
  test.each([
    ['BN', 'BUSINESS_NAME', 'VENTURES', /^PROPRIETOR$/, 1],
    ['IT', 'INCORPORATED_TRUSTEES', 'FOUNDATION', /^TRUSTEE$/, 2],
    ['LP', 'LIMITED_PARTNERSHIP', 'LP', /^(?:GENERAL|LIMITED) PARTNER$/, 2],
    ['LLP', 'LIMITED_LIABILITY_PARTNERSHIP', 'LLP', /^PARTNER$/, 2],
  ] as const)(
    '%s: a record has its classification, its affiliates and no share capital',
    async (type, classification, ending, role, atLeast) => {
      for (let index = 1000; index < 1030; index += 1) {
        const found = await record('CAC', `${type}${index}`);
        expect(v.safeParse(cacRecord, found).issues).toBeUndefined();
        expect(found).toMatchObject({
          rcNumber: `${type}${index}`,
          classification,
          companyName: expect.stringMatching(new RegExp(` ${ending}$`)),
          shareCapital: 0,
          shareCapitalInWords: '',
          directors: [],
          affiliates: found.affiliatesData.length,
        });
        expect(found.affiliatesData.length).toBeGreaterThanOrEqual(atLeast);
        for (const {
          affiliateType,
          surname,
          shareholdingPercentage,
          numSharesAlloted,
        } of found.affiliatesData) {
          expect(affiliateType).toMatch(role);
          expect(surname).not.toBe('');
          expect([shareholdingPercentage, numSharesAlloted]).toEqual([null, 0]);
        }
      }
    },
  );

  test('a limited partnership has one general partner', async () => {
    const { affiliatesData } = await record('CAC', 'LP1234');
    const general = affiliatesData.filter(({ affiliateType }) => affiliateType === 'GENERAL PARTNER');
    expect(general).toHaveLength(1);
  });

  test('the same digits with different types are different registrations', async () => {
    const names = await Promise.all(
      ['RC7000', 'BN7000', 'IT7000'].map(async (number) => (await record('CAC', number)).companyName),
    );
    expect(new Set(names).size).toBe(3);
  });
});

describe('tax numbers of every format', () => {
  test.each([
    ['FIRS', (index: number) => `12345678-${index}`, 'COMPANY', /^RC/, /^MSTO /],
    ['JTB', (index: number) => `123456${index}`, 'BUSINESS_NAME', /^BN/, /STATE INTERNAL REVENUE SERVICE$/],
    ['TAX_ID', (index: number) => `123456789${index}`, 'COMPANY', /^RC/, /^NIGERIA REVENUE SERVICE$/],
  ] as const)(
    '%s: records are of people and businesses, and have the matching tax office',
    async (format, numberOf, business, prefix, office) => {
      const types = new Set<string>();
      for (let index = 1000; index < 1040; index += 1) {
        const found = await record('TIN', numberOf(index));
        expect(found).toMatchObject({ tin: numberOf(index), tin_format: format });
        expect(found.tax_office).toMatch(office);
        expect(found.registration_date).toMatch(format === 'TAX_ID' ? /-2026$/ : /-20(?:0[89]|1\d|2[0-4])$/);
        expect(found.rc_number).toMatch(found.business_type === business ? prefix : /^$/);
        types.add(found.business_type);
      }
      expect([...types].sort()).toEqual([business, 'INDIVIDUAL'].sort());
    },
  );
});

describe('companies', () => {
  test('have several directors and shareholders whose derived percentages add up to exactly 100.00', async () => {
    let corporate = 0;
    for (let index = 1000; index < 1100; index += 1) {
      const company = await record('CAC', NUMBERS.CAC(String(index)));
      const { affiliatesData, directors, affiliates } = company;
      const holders = affiliatesData.filter((one) => one.affiliateType === 'SHAREHOLDER');
      const hundredths = holders.map((one) => Math.round((one.shareholdingPercentage ?? 0) * 100));
      expect(hundredths.reduce((sum, part) => sum + part, 0)).toBe(10_000);
      expect(holders.every((one) => one.shareholdingPercentageDerived)).toBe(true);
      expect(holders.length).toBeGreaterThanOrEqual(2);
      expect(directors.length).toBeGreaterThanOrEqual(2);
      expect(affiliates).toBe(affiliatesData.length);
      corporate += holders.filter((one) => one.isCorporate && one.corporationName !== '').length;
    }
    expect(corporate).toBeGreaterThanOrEqual(100);
  });
});

describe('account numbers', () => {
  test('are found with any code of their bank', async () => {
    expect(await record('NUBAN', '0000014579', { bankCode: '011' })).toMatchObject({
      account_number: '0000014579',
      bank_code: '011',
      bank_name: 'First Bank Nigeria Limited',
      currency: 'NGN',
    });
    expect(await record('NUBAN', '0123456785', { bankCode: '000013' })).toMatchObject({
      bank_code: '000013',
      bank_name: 'Guaranty Trust Bank Plc',
    });
  });

  test('with a wrong check digit are found, with a warning', async () => {
    const at = (bankCode: string) => {
      const bank = bankByCode(bankCode);
      if (!bank) throw new Error(`There is no bank ${bankCode}.`);
      return { bankCode, bank };
    };
    const right = await ask('NUBAN', '0000014579', at('011'));
    expect(right).not.toHaveProperty('warning');
    const wrong = await ask('NUBAN', '8000000002', at('50211'));
    expect(wrong).toMatchObject({ kind: 'found', warning: expect.stringContaining('check digit') });
  });

  test.each(['044', '000013', '999'])(
    'are not found with %s, which is not a code of their bank',
    async (bankCode) => {
      expect(await ask('NUBAN', '0000014579', { bankCode })).toEqual({
        kind: 'not-found',
        detail: 'RECORD_NOT_FOUND',
      });
    },
  );

  test('are spread over many banks', async () => {
    const numbers = Array.from({ length: 200 }, (_, index) => `01234${String(index).padStart(5, '0')}`);
    const codes = await Promise.all(numbers.map(async (number) => (await record('NUBAN', number)).bank_code));
    expect(new Set(codes).size).toBeGreaterThan(30);
  });

  test('that start with 8 are wallets', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => `80312345${String(index).padStart(2, '0')}`);
    const codes = await Promise.all(numbers.map(async (number) => (await record('NUBAN', number)).bank_code));
    expect([...new Set(codes)].sort()).toEqual(['100004', '100033', '50211', '50515']);
  });

  test('without a bank code get a bank whose check digit fits, without a warning', async () => {
    const result = await ask('NUBAN', '0123456785');
    expect(result).not.toHaveProperty('warning');
    const { bank_code } = await record('NUBAN', '0123456785');
    expect(checkDigit(bank_code, '012345678')).toBe(5);
  });
});

const someQuery = (): RegistryQuery => ({
  idType: 'NIN',
  number: '12345678901',
  level: 'basic',
  deadlineMs: Date.now() + 5_000,
});

test('a wrong secret is an outage, not a failed verification', async () => {
  const unauthorised = sandboxProvider({ url: sandbox.url, secret: async () => 'guessed', sign: unsigned });
  expect(await unauthorised.lookUp(someQuery())).toEqual({
    kind: 'unreachable',
    detail: 'credentials-refused',
  });
});

test('throttling of the sandbox by Lambda is not an outage: the request is rejected, and can be retried', async () => {
  const throttled = createServer((_, response) =>
    response.writeHead(429).end('{"Message":"Rate Exceeded."}'),
  );
  const { url, close } = await listen(throttled);
  const sandboxAtLimit = sandboxProvider({ url, secret: async () => '', sign: unsigned });
  try {
    await expect(sandboxAtLimit.lookUp(someQuery())).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 2,
    });
  } finally {
    await close();
  }
});

describe('the function URL', () => {
  test.each([
    ['no deadline', '0504', undefined, 30_000],
    ['a deadline', '0504', '1234', 1_234],
    ['a deadline that is not a number', '0504', '-5', 30_000],
    ['a deadline after its own delay', '0299', '20000', 3_000],
    ['a deadline before its own delay', '0299', '1000', 1_000],
  ])('waits for %s', async (_, ending, remaining, expectedMs) => {
    const pauses: number[] = [];
    const event = {
      headers: { 'x-sandbox-secret': 'new', ...(remaining && { 'x-remaining-ms': remaining }) },
      body: JSON.stringify({ id_type: 'NIN', number: NUMBERS.NIN(ending) }),
    };
    await serveLookUp(event as unknown as LambdaFunctionURLEvent, { current: 'new' }, async (delayMs) => {
      pauses.push(delayMs);
    });
    expect(pauses).toEqual([expectedMs]);
  });

  const post = (body: unknown, given: string, isBase64Encoded = false) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const event = {
      headers: { 'x-sandbox-secret': given },
      body: isBase64Encoded ? Buffer.from(text).toString('base64') : text,
      isBase64Encoded,
    };
    const secrets = { current: 'new', previous: 'old' };
    return serveLookUp(event as unknown as LambdaFunctionURLEvent, secrets) as Promise<{
      statusCode: number;
    }>;
  };
  const query = { id_type: 'NIN', number: '12345678901' };

  test('accepts only the current secret and, after a rotation, the previous one', async () => {
    expect(await post(query, 'new')).toMatchObject({ statusCode: 200 });
    expect(await post(query, 'old', true)).toMatchObject({ statusCode: 200 });
    expect(await post(query, '')).toMatchObject({ statusCode: 401 });
    expect(await post(query, 'newer')).toMatchObject({ statusCode: 401 });
  });

  test.each<[unknown, string]>([
    ['', 'no body'],
    ['{', 'broken JSON'],
    [{ ...query, number: '1234567890' }, 'ten digits'],
    [{ ...query, number: 12345678901 }, 'an integer'],
    [{ ...query, id_type: 'PASSPORT' }, 'another type'],
    [{ ...query, more: 1 }, 'an unknown field'],
  ])('rejects %j: %s', async (body) => {
    expect(await post(body, 'new')).toMatchObject({ statusCode: 422 });
  });
});

test('each look-up logs one line with ID type and outcome, without the number', async () => {
  lines.length = 0;
  await ask('NIN', '55566677788');
  await ask('CAC', NUMBERS.CAC('0404'));
  expect(lines).toEqual([
    JSON.stringify(['Sandbox look-up', { id_type: 'NIN', outcome: 'FOUND' }]),
    JSON.stringify(['Sandbox look-up', { id_type: 'CAC', outcome: 'RECORD_NOT_FOUND' }]),
  ]);
});
