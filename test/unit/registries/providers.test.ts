import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PROVIDERS, providerNamed } from '../../../shared/registries/providers/catalogue.ts';

const config = { credentials: async () => ({}), allowLocal: false };

describe('adding a provider is one folder and one line', () => {
  test('every folder has its line, and the sandbox is no live provider', () => {
    const folders = readdirSync(new URL('../../../shared/registries/providers', import.meta.url), {
      withFileTypes: true,
    })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(Object.keys(PROVIDERS).sort()).toEqual(folders.filter((name) => name !== 'sandbox').sort());
  });

  test.each(Object.keys(PROVIDERS))('%s goes by the name of its line and serves something', (name) => {
    const provider = PROVIDERS[name]?.(config);
    expect(provider?.name).toBe(name);
    expect(provider?.displayName).not.toBe('');
    expect(Object.keys(provider?.idTypes ?? {})).not.toEqual([]);
  });
});

test.each(['nobody', '__proto__', 'constructor', ''])('there is no provider named %j', (name) => {
  expect(() => providerNamed(name)).toThrow('no registry provider');
});
