import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { samplesFor } from '../../../clients/operator/conformance/published-samples.ts';
import { ID_TYPES } from '../../../shared/core/id-types.ts';
import { numberFormat } from '../../../shared/core/numbers.ts';
import {
  LIVE_PROVIDER_NAMES,
  type LiveProviderName,
} from '../../../shared/registries/providers/catalogue.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import { startDouble, type TestDouble } from '../../support/registries/double.ts';

/** Tests that `registry test` compares each response with the published samples of the right product. */

/** The product by ID type and level. Empty if nothing is published for the product that the adapter uses. */
const PRODUCTS: Readonly<Record<LiveProviderName, Readonly<Record<string, string>>>> = {
  prembly: {
    'NIN basic': 'nin-basic',
    'NIN premium': 'nin-advanced',
    'BVN basic': 'bvn-advanced',
    'BVN premium': 'bvn-advanced',
    'CAC basic': 'cac-basic',
    'CAC premium': 'cac-advanced',
    'TIN basic': 'tin',
    'NUBAN basic': 'account',
  },
  dojah: {
    'NIN basic': 'nin-advanced',
    'NIN premium': 'nin-advanced',
    'BVN basic': 'bvn-basic',
    'BVN premium': 'bvn-advanced',
    'CAC basic': 'cac-basic',
    'CAC premium': 'cac-advanced',
    'TIN basic': 'tin',
    'NUBAN basic': 'account',
  },
  qoreid: {
    'NIN basic': '',
    'NIN premium': '',
    'BVN basic': 'bvn-basic',
    'BVN premium': 'bvn-premium',
    'CAC basic': 'cac-basic',
    'CAC premium': 'cac-premium',
    'TIN basic': 'tin',
    'NUBAN basic': 'account',
  },
  paystack: { 'NUBAN basic': 'account' },
  youverify: {
    'NIN basic': 'nin',
    'NIN premium': 'nin',
    'BVN basic': '',
    'BVN premium': '',
    'TIN basic': 'tin',
  },
};

const NAMES = { firstname: 'Amina', lastname: 'Specimen' };
let double: TestDouble;
beforeAll(async () => {
  double = await startDouble(({ path }) =>
    path === '/token'
      ? { status: 200, body: { accessToken: 'token', expiresIn: 7200 } }
      : { status: 500, body: {} },
  );
});
afterAll(() => double.stop());

/** Returns the products whose samples belong to the requests that the adapter sends, by ID type and level. */
async function productsOf(name: LiveProviderName): Promise<Record<string, string>> {
  const secret = { apiKey: 'k', appId: 'a', clientId: 'c', secret: 's', baseUrl: double.baseUrl };
  const provider = liveProvider(name, { credentials: async () => secret, allowLocal: true });
  const products: Record<string, string> = {};
  for (const idType of ID_TYPES) {
    for (const level of provider.idTypes[idType] ?? []) {
      const number = numberFormat(idType).example;
      const query = { idType, level, number, bankCode: '058', consent: 'test', names: NAMES };
      await provider.lookUp({ ...query, deadlineMs: Date.now() + 10_000 });
      const path = double.requests.at(-1)?.path ?? '';
      const names = samplesFor(name, path).map(({ product }) => product);
      products[`${idType} ${level}`] = [...new Set(names)].join(', ');
    }
  }
  return products;
}

test.each(LIVE_PROVIDER_NAMES)(
  'the requests of %s are compared with the samples of the right products',
  async (name) => {
    expect(await productsOf(name)).toEqual(PRODUCTS[name]);
  },
);
