import { describe, expect, test } from '@jest/globals';
import { RootConstruct } from 'constructs';
import { STAGES, type StageConfig } from '../../infra/config.ts';
import { checkConfig } from '../../infra/stages/check-config.ts';
import { readConfig } from '../../infra/stages/read-config.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
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
});

describe('settings that cannot work', () => {
  const accountConcurrency = 1_000;
  const domain = {
    name: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up',
  };

  test.each([
    ['a provider that is none', { registries: { NIN: ['premblly'] } }, 'registries.NIN.0'],
    ['an ID type that is none', { registries: { NINN: ['prembly'] } }, 'registries.NINN'],
    ['a setting that is none', { loglevel: 'INFO' }, 'loglevel'],
    ['a rate below zero', { throttling: { rateLimit: -1, burstLimit: 0 } }, 'throttling.rateLimit'],
    ['a retention that CloudWatch has not', { logRetentionDays: 31 }, 'logRetentionDays'],
    ['a rollout that is none', { operations: { accountConcurrency, rollout: 'blue' } }, 'operations.rollout'],
    ['no concurrency', { operations: {} }, 'operations.accountConcurrency'],
    [
      'a domain without a certificate',
      { operations: { accountConcurrency, domain: { name: 'api.example.com' } } },
      'operations.domain.certificateArn',
    ],
    [
      'a domain as an address',
      { operations: { accountConcurrency, domain: { ...domain, name: 'https://api.example.com' } } },
      'A domain is given as api.example.com',
    ],
    [
      'a firewall below what WAF takes',
      { operations: { accountConcurrency, firewall: { requestsPerAddress: 9 } } },
      'operations.firewall.requestsPerAddress',
    ],
    [
      'a bulkhead for no function',
      { operations: { accountConcurrency, reservedConcurrency: { ninbasic: 5 } } },
      'operations.reservedConcurrency.ninbasic',
    ],
    [
      'bulkheads that leave nothing to the others',
      { operations: { accountConcurrency: 1_000, reservedConcurrency: { health: 901 } } },
      'must leave 100 of accountConcurrency',
    ],
    ['a restore of one table', { restoredTables: { Wallets: 'back' } }, 'restoredTables.ApiKeys'],
  ])('%s are refused by their name', (_, changes, words) => {
    const config = { ...read({ stage: 'prod' }), ...changes } as unknown as StageConfig;
    expect(() => checkConfig(config)).toThrow('The settings of the stage "prod" cannot work. ');
    expect(() => checkConfig(config)).toThrow(words);
  });

  test('are none of those that the stages have, nor of a restore that lets nobody in', () => {
    for (const stage of STAGES) expect(() => checkConfig(read({ stage }))).not.toThrow();
    const throttling = { rateLimit: 0, burstLimit: 0 };
    const operations = { accountConcurrency, domain, reservedConcurrency: { health: 900 } };
    expect(() => checkConfig({ ...read({ stage: 'prod' }), throttling, operations })).not.toThrow();
  });

  test('stop the synthesis', () => {
    const changes = { registries: { NIN: ['premblly'] } } as unknown as Partial<StageConfig>;
    expect(() => synthesize('prod', changes)).toThrow('registries.NIN.0');
  });
});
