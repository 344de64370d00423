import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

/** An instance whose only provider fails for these look-ups. */
function failingFor(fails: (query: RegistryQuery) => boolean): Instance {
  providers += 1;
  const provider: RegistryProvider = {
    name: `provider${providers}`,
    displayName: 'One',
    idTypes: { NIN: ['basic'], NUBAN: ['basic'] },
    lookUp: async (query) => (fails(query) ? UNREACHABLE : FOUND),
  };
  return instanceOf(table, [provider], () => nowMs);
}

async function ask(instance: Instance, query: Partial<RegistryQuery>, times = 1): Promise<string[]> {
  const results: string[] = [];
  for (let time = 0; time < times; time += 1) {
    nowMs += 250;
    const { result } = await instance.lookUp(query);
    results.push(result.kind === 'found' ? 'found' : result.detail);
  }
  return results;
}

const account = (bankCode: string) => ({ idType: 'NUBAN', number: '0123456789', bankCode }) as const;

test('accounts that cannot be looked up do not stop the look-ups of NINs', async () => {
  const instance = failingFor(({ idType }) => idType === 'NUBAN');
  await ask(instance, account('058'), 25);
  await ask(instance, account('011'), 25);
  expect(await ask(instance, account('011'))).toEqual(['breaker-open']);
  expect(await ask(instance, { idType: 'NIN' }, 3)).toEqual(['found', 'found', 'found']);
});

test('one bank that does not respond does not stop the look-ups at other banks', async () => {
  const instance = failingFor(({ bankCode }) => bankCode === '070');
  expect(await ask(instance, account('070'), 40)).not.toContain('breaker-open');
  expect(await ask(instance, account('058'))).toEqual(['found']);
  await ask(instance, account('070'), 40);
  expect(await ask(instance, account('058'))).toEqual(['found']);
});

test('two banks without a success between them are an outage of the provider', async () => {
  const instance = failingFor(({ idType }) => idType === 'NUBAN');
  await ask(instance, account('058'));
  await ask(instance, account('011'), 25);
  expect(await ask(instance, account('033'))).toEqual(['breaker-open']);
});
