import { describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { PROVIDERS, STAGES, type StageConfig } from '../../infra/config.ts';
import { readConfig } from '../../infra/stages/read-config.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { PROVIDERS as BUILT_PROVIDERS } from '../../shared/registries/providers.ts';
import { synthesize } from './synthesis.ts';

function read(context: Record<string, unknown>): StageConfig {
  const root = new RootConstruct();
  for (const [key, value] of Object.entries(context)) root.node.setContext(key, value);
  return readConfig(root.node);
}

describe('the stages', () => {
  test.each(STAGES.filter((stage) => stage !== 'local'))(
    '%s refuses to synthesize with the sandbox as a live provider',
    (stage) => {
      const changes = { registries: { NIN: ['prembly'], BVN: ['dojah', 'sandbox'] } } as const;
      expect(() => synthesize(stage, changes)).toThrow(
        `The stage "${stage}" would ask the sandbox, which invents its records, for live BVN numbers.`,
      );
    },
  );

  test('no stage but local asks the sandbox as it stands', () => {
    for (const stage of STAGES) {
      const routed = Object.values(read({ stage }).registries).flat();
      expect(routed.includes('sandbox')).toBe(stage === 'local');
    }
  });

  test('local asks the sandbox for every ID type', () => {
    expect(read({ stage: 'local' }).registries).toEqual(
      Object.fromEntries(ID_TYPES.map((idType) => [idType, ['sandbox']])),
    );
  });

  test('dev is the default, and a stage that does not exist is refused by name', () => {
    expect(read({}).stage).toBe('dev');
    expect(() => read({ stage: 'production' })).toThrow('There is no stage "production".');
  });

  test('the public address is https and has no slash at its end', () => {
    expect(read({ publicBaseUrl: 'https://api.example.com' }).publicBaseUrl).toBe('https://api.example.com');
    for (const url of ['http://api.example.com', 'https://api.example.com/', 'api.example.com']) {
      expect(() => read({ publicBaseUrl: url })).toThrow('publicBaseUrl');
    }
  });

  test('every provider that is built has a secret, and every secret a provider', () => {
    expect([...PROVIDERS].sort()).toEqual(Object.keys(BUILT_PROVIDERS).sort());
  });
});
