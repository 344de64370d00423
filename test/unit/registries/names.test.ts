import { expect, test } from '@jest/globals';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import { numberFormat } from '../../../shared/core/numbers.ts';
import {
  LIVE_PROVIDER_NAMES,
  type LiveProviderName,
  needsNames,
} from '../../../shared/registries/providers/catalogue.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import { ask } from '../../support/registries/ask.ts';
import { startDouble } from '../../support/registries/double.ts';

/** Tests that claimed names reach only providers that look up people by number and name. */

// Invented names. cspell:ignore Wolowitzka Xylographa
const NAMES = { firstname: 'Wolowitzka', lastname: 'Xylographa' };
const CREDENTIALS = {
  appId: 'app',
  apiKey: 'key',
  clientId: 'client',
  secret: 'secret',
  secretKey: 'sk_test_key',
  token: 'token',
};

async function sentBy(name: LiveProviderName, idType: IdType): Promise<string> {
  const server = await startDouble(() => ({
    status: 200,
    body: { accessToken: 'token', expiresIn: 7200 },
  }));
  const credentials = async () => ({ ...CREDENTIALS, baseUrl: server.baseUrl });
  const provider = liveProvider(name, { credentials, allowLocal: true });
  const more = { names: NAMES, consent: 'consent-7', reason: 'onboarding', bankCode: '058' };
  await ask(provider, idType, numberFormat(idType).example, more);
  await server.stop();
  return server.requests.map(({ query, ...request }) => JSON.stringify([request, `${query}`])).join('\n');
}

const served = LIVE_PROVIDER_NAMES.flatMap((name) => {
  const { idTypes } = liveProvider(name, { credentials: async () => ({}), allowLocal: true });
  return ID_TYPES.filter((idType) => idType in idTypes).map((idType) => [name, idType] as const);
});

test.each(served)('%s receives the names for a %s only if it needs them', async (name, idType) => {
  const sent = await sentBy(name, idType);
  // The number proves that the look-up was sent.
  expect(sent).toContain(numberFormat(idType).example.replace(/^RC|-.*$/g, ''));
  const isNamed = Object.values(NAMES).every((text) => sent.includes(text));
  const isNameless = Object.values(NAMES).every((text) => !sent.includes(text));
  expect([isNamed, isNameless]).toEqual(needsNames(name, idType) ? [true, false] : [false, true]);
});
