import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import {
  displayNameOf,
  LIVE_PROVIDER_NAMES,
  LIVE_PROVIDERS,
  servedRouting,
} from '../../../shared/registries/providers/catalogue.ts';
import { ALL_PROVIDERS, NUBAN_PROVIDERS } from '../../../shared/registries/providers/connections.ts';
import { configuredProvider, liveProvider } from '../../../shared/registries/providers/make-provider.ts';

describe('the catalogue of providers', () => {
  test('has an entry for every provider folder', () => {
    const folders = readdirSync(new URL('../../../shared/registries/providers', import.meta.url), {
      withFileTypes: true,
    })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect([...LIVE_PROVIDER_NAMES, 'sandbox'].sort()).toEqual(folders.sort());
  });

  test.each(LIVE_PROVIDER_NAMES)('describes %s as its adapter does', (name) => {
    const provider = liveProvider(name, { credentials: async () => ({}), allowLocal: false });
    expect(provider).toEqual({ name, ...LIVE_PROVIDERS[name], lookUp: expect.any(Function) });
    expect(provider.displayName).toBe(displayNameOf(name));
    expect(Object.keys(provider.idTypes)).not.toEqual([]);
  });
});

test.each(['nobody', '__proto__', 'constructor', ''])('a provider named %j is unknown', (name) => {
  expect(() => configuredProvider(name, ALL_PROVIDERS)).toThrow('no registry provider');
  expect(() => displayNameOf(name)).toThrow('no registry provider');
});

test('a function cannot create a provider whose adapter it does not contain', () => {
  expect(() => configuredProvider('youverify', NUBAN_PROVIDERS)).toThrow(
    'This function contains no adapter for the provider "youverify".',
  );
});

test('a provider is left out of the routing of ID types that it does not serve', () => {
  const routing = { NIN: ['paystack', 'dojah'], NUBAN: ['sandbox', 'youverify', 'paystack'], CAC: [] };
  expect(servedRouting(routing)).toEqual({ NIN: ['dojah'], NUBAN: ['sandbox', 'paystack'], CAC: [] });
});
