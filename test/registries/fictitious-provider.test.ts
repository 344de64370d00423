import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import type { RegistryProvider } from '../../shared/registries/port.ts';
import type { ProviderAdapter } from '../../shared/registries/providers/access.ts';
import { ask, recordOf } from '../support/registries/ask.ts';
import { startDouble } from '../support/registries/double.ts';

/** Checks that the example adapter in docs/design/add-a-provider.md works as printed. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(ROOT, `test/registries/kubra-${process.pid}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Imports the adapter's code from the page. Its relative imports are adjusted to the temporary folder. */
async function adapterOfThePage(): Promise<ProviderAdapter> {
  const page = readFileSync(join(ROOT, 'docs/design/add-a-provider.md'), 'utf8');
  const [, code = ''] = /```ts\n( *import \* as v [\s\S]*?)```/.exec(page) ?? [];
  mkdirSync(folder);
  const file = join(folder, 'kubra.ts');
  const adjusted = code
    .replaceAll(/^ {3}/gm, '')
    .replaceAll("'../../", "'../../../shared/registries/")
    .replaceAll("'../access", "'../../../shared/registries/providers/access");
  writeFileSync(file, adjusted);
  return ((await import(file)) as { kubraAdapter: ProviderAdapter }).kubraAdapter;
}

test('the example provider in docs/design/add-a-provider.md serves NINs', async () => {
  const double = await startDouble(({ path, headers }) => {
    if (headers['x-kubra-key'] !== 'k') return { status: 401, body: {} };
    const number = path.replace('/v3/nin/', '');
    if (number === '12345678901')
      return { status: 200, body: { person: { nin: Number(number), firstname: 'ADA', surname: 'OBI' } } };
    return { status: number === '90000000503' ? 503 : 404, body: {} };
  });
  const adapter = await adapterOfThePage();
  const withKey = (apiKey: string): RegistryProvider => ({
    name: 'kubra',
    displayName: 'Kubra',
    idTypes: { NIN: ['basic', 'premium'] },
    lookUp: adapter({ credentials: async () => ({ apiKey, baseUrl: double.baseUrl }), allowLocal: true }),
  });
  const kubra = withKey('k');

  expect(await recordOf(kubra, 'NIN', '12345678901')).toMatchObject({ firstname: 'ADA', lastname: 'OBI' });
  expect(await ask(kubra, 'NIN', '10000000000')).toEqual({ kind: 'not-found', detail: 'http-404' });
  expect(await ask(kubra, 'NIN', '90000000503')).toMatchObject({ kind: 'unreachable' });
  expect(await ask(withKey('wrong'), 'NIN', '12345678901')).toMatchObject({ detail: 'credentials-refused' });
  await double.stop();
});
