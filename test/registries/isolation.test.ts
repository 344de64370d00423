import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bankByCode } from '../../shared/registries/mapping/banks.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../shared/registries/port.ts';
import { type Instance, instanceOf } from './instance.ts';
import { openStateTable, type StateTable } from './local-state-table.ts';

/** What fails for one ID type or at one bank must not stop other look-ups at the same provider. */

const FOUND: RegistryResult = {
  kind: 'found',
  record: { nin: '12345670001', firstname: 'Amaka', middlename: '', surname: 'Okafor' } as never,
};
const UNREACHABLE: RegistryResult = { kind: 'unreachable', detail: 'http-424', maybeBilled: true };
const T = 1_700_000_000_000;

let table: StateTable;
beforeAll(async () => {
  table = await openStateTable();
});
afterAll(() => table.close());

let providers = 0;
let nowMs = T;

/** Instances whose only provider fails for these look-ups. */
function failingFor(fails: (query: RegistryQuery) => boolean, count: number): Instance[] {
  providers += 1;
  const provider: RegistryProvider = {
    name: `provider${providers}`,
    displayName: 'One',
    idTypes: { NIN: ['basic'], NUBAN: ['basic'] },
    lookUp: async (query) => (fails(query) ? UNREACHABLE : FOUND),
  };
  return Array.from({ length: count }, () => instanceOf(table, [provider], () => nowMs));
}

/** Looks up in turn at these instances, four times a second. */
async function ask(instances: Instance[], queries: Partial<RegistryQuery>[], times = 1): Promise<string[]> {
  const results: string[] = [];
  for (let time = 0; time < times; time += 1) {
    nowMs += 250;
    const { result } = await at(instances, time).lookUp(at(queries, time));
    results.push(result.kind === 'found' ? 'found' : result.detail);
  }
  return results;
}

function at<T>(all: readonly T[], index: number): T {
  return all[index % all.length] as T;
}

const account = (bankCode: string) => {
  const bank = bankByCode(bankCode);
  return { idType: 'NUBAN', number: '0123456789', bankCode, ...(bank && { bank }) } as const;
};
const BANKS = ['058', '011', '033', '044', '057'].map(account);

test('accounts that cannot be looked up do not stop the look-ups of NINs', async () => {
  const instances = failingFor(({ idType }) => idType === 'NUBAN', 1);
  await ask(instances, BANKS, 50);
  expect(await ask(instances, BANKS)).toEqual(['breaker-open']);
  expect(await ask(instances, [{ idType: 'NIN' }], 3)).toEqual(['found', 'found', 'found']);
});

test('banks that do not respond do not stop the look-ups at other banks, by whichever codes', async () => {
  const banks = [
    account('058'),
    account('000013'),
    account('011'),
    account('000016'),
    account('033'),
    account('070'),
  ];
  const instances = failingFor(({ bankCode }) => bankCode !== '044', 2);
  expect(await ask(instances, banks, 90)).not.toContain('breaker-open');
  expect(await ask(instances, [account('044')])).toEqual(['found']);
});

test("one customer's requests to many such banks do not stop the look-ups of others", async () => {
  const instances = failingFor(({ bankCode }) => bankCode !== '044', 10);
  const results: string[] = [];
  for (let time = 0; time < 600; time += 1) {
    nowMs += 17;
    const query =
      time % 3 === 0
        ? account('044')
        : at(
            BANKS.filter(({ bankCode }) => bankCode !== '044'),
            time,
          );
    const { result } = await at(instances, (time * 7) % 11).lookUp(query);
    results.push(result.kind === 'found' ? 'found' : result.detail);
  }
  expect(results.filter((result) => result === 'found')).toHaveLength(200);
});

test('at low traffic, five such banks stop no look-ups at a bank that nobody has asked', async () => {
  const instances = failingFor(({ bankCode }) => bankCode !== '070', 2);
  await ask(instances, BANKS, 90);
  expect(await ask(instances, BANKS)).toEqual(['breaker-open']);
  const withoutBank = { idType: 'NUBAN', number: '0123456789' } as const;
  expect(await ask(instances, [withoutBank])).toEqual(['http-424']);
  expect(await ask(instances, [account('070'), account('058')], 2)).toEqual(['found', 'http-424']);
});

const of = (organisationIds: readonly string[]) =>
  BANKS.map((bank, index) => ({ ...bank, organisationId: at(organisationIds, index) }));

test('accounts of one organisation that fail at many banks do not stop those of others at these banks', async () => {
  const instances = failingFor(({ organisationId }) => organisationId === 'failing', 2);
  expect(await ask(instances, of(['failing']), 60)).toContain('breaker-open');
  expect(await ask(instances, of(['other']), 1)).toEqual(['found']);
});

test('accounts of three organisations that fail at many banks stop those of others at these banks', async () => {
  const instances = failingFor(() => true, 2);
  await ask(instances, of(['one', 'two', 'three']), 60);
  expect(await ask(instances, of(['other']))).toEqual(['breaker-open']);
});

test('five banks without a success for some seconds are an outage of the provider', async () => {
  let isDown = false;
  const instances = failingFor(({ idType }) => idType === 'NUBAN' && isDown, 10);
  await ask(instances, BANKS, 20);
  isDown = true;
  const results = await ask(instances, BANKS, 60);
  expect(results.indexOf('breaker-open')).toBeLessThan(45);
});
