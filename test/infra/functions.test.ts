import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type DeployedFunction, functionsOf, resourcesOf, synthesize } from './synthesis.ts';

const { api } = synthesize();
const functions = functionsOf(api);

/** API Gateway gives up after 29 s. */
const GATEWAY_TIMEOUT_SECONDS = 29;
const BEHIND_NO_GATEWAY: Readonly<Record<string, number>> = {
  'sandbox-registry': 40,
  'sweep-holds': 50,
  'reconcile-wallets': 900,
  'publish-events': 50,
};

function named(name: string): DeployedFunction {
  const found = functions.find((item) => item.name === name);
  if (!found) throw new Error(`There is no function ${name}.`);
  return found;
}

describe('the functions', () => {
  test('are exactly the files in functions/', () => {
    const files = readdirSync('functions').map((file) => basename(file, '.ts'));
    expect(functions.map(({ name }) => name).sort()).toEqual(files.sort());
  });

  test("have timeouts below the gateway's, where the gateway waits for them", () => {
    for (const { name, properties } of functions) {
      const limit = BEHIND_NO_GATEWAY[name];
      if (limit) expect(properties['Timeout']).toBe(limit);
      else expect(properties['Timeout']).toBeLessThan(GATEWAY_TIMEOUT_SECONDS);
    }
  });

  test('run on Node 24 on arm64, in no VPC', () => {
    for (const { properties } of functions) {
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], MemorySize: 512 });
      expect(properties['VpcConfig']).toBeUndefined();
    }
  });

  test('write to a log group of their own, which forgets', () => {
    const groups = resourcesOf(api, 'AWS::Logs::LogGroup');
    const used = functions.map(({ properties }) => {
      const { LogGroup } = properties['LoggingConfig'] as { LogGroup: { Ref: string } };
      return LogGroup.Ref;
    });

    expect(new Set(used).size).toBe(functions.length);
    for (const group of groups.values()) expect(group.Properties['RetentionInDays']).toBe(365);
    for (const id of used) expect(groups.has(id)).toBe(true);
  });

  test('all know their stage, and those that ask registries know where and how long', () => {
    for (const { environment } of functions) expect(environment['STAGE']).toBe('prod');
    expect(named('nin-basic').environment).toMatchObject({
      REGISTRIES: '{}',
      REGISTRY_TIMEOUT_MS: '20000',
      ACCEPT_TAX_ID: 'false',
      LOG_RETENTION_DAYS: '365',
    });
  });

  test('ask the sandbox at the address of its own function', () => {
    const [[urlId, url] = []] = resourcesOf(api, 'AWS::Lambda::Url');

    expect(url?.Properties).toMatchObject({
      AuthType: 'NONE',
      TargetFunctionArn: { 'Fn::GetAtt': [named('sandbox-registry').logicalId, 'Arn'] },
    });
    expect(named('nin-basic').environment['SANDBOX_URL']).toEqual({ 'Fn::GetAtt': [urlId, 'FunctionUrl'] });
  });

  test('that sweep, reconcile and publish run every minute, day and minute', () => {
    const schedules = [...resourcesOf(api, 'AWS::Events::Rule').values()].map(({ Properties }) => {
      const [target] = Properties['Targets'] as { Arn: { 'Fn::GetAtt': [string, string] } }[];
      return [Properties['ScheduleExpression'], target?.Arn['Fn::GetAtt'][0], Properties['State']];
    });

    expect(schedules).toEqual([
      ['rate(1 minute)', named('sweep-holds').logicalId, 'ENABLED'],
      ['rate(1 day)', named('reconcile-wallets').logicalId, 'ENABLED'],
      ['rate(1 minute)', named('publish-events').logicalId, 'ENABLED'],
    ]);
  });
});
