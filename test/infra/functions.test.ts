import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CONSOLE_SCHEDULES, DELIVER_WEBHOOK, START_WEBHOOKS } from '../../infra/console-routes.ts';
import { PROBE } from '../../infra/routes.ts';
import { type DeployedFunction, functionsOf, resourcesOf, synthesize } from './synthesis.ts';

const { api, functions: invoked } = synthesize();
const functions = functionsOf(invoked, api);

/** API Gateway times out after 29 s. */
const GATEWAY_TIMEOUT_SECONDS = 29;
const NOT_BEHIND_THE_API: Readonly<Record<string, number>> = {
  'sandbox-registry': 40,
  'check-new-version': 180,
  'sweep-holds': 50,
  'settle-top-ups': 50,
  'reconcile-wallets': 900,
  'publish-events': 50,
  'copy-audit-trail': 900,
};

function named(name: string): DeployedFunction {
  const found = functions.find((item) => item.name === name);
  if (!found) throw new Error(`There is no function ${name}.`);
  return found;
}

describe('the functions', () => {
  test('are exactly the files in functions/', () => {
    // Console functions are in another stack (console-stack.test.ts), and in their own directory unless they
    // run on a schedule, start webhooks or deliver them. The probe has a stack of its own (probe-stack.test.ts).
    const files = globSync('functions/*.ts').map((file) => basename(file, '.ts'));
    const all = [...functions, PROBE, ...CONSOLE_SCHEDULES, START_WEBHOOKS, DELIVER_WEBHOOK];
    expect(all.map(({ name }) => name).sort()).toEqual(files.sort());
  });

  test('behind the API have a timeout below that of API Gateway', () => {
    for (const { name, properties } of functions) {
      const limit = NOT_BEHIND_THE_API[name];
      if (limit) expect(properties['Timeout']).toBe(limit);
      else expect(properties['Timeout']).toBeLessThan(GATEWAY_TIMEOUT_SECONDS);
    }
  });

  test('run on Node 24 and arm64, outside any VPC', () => {
    for (const { properties } of functions) {
      expect(properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], MemorySize: 512 });
      expect(properties['VpcConfig']).toBeUndefined();
    }
  });

  test('each have a log group whose entries expire', () => {
    const groups = new Map([invoked, api].flatMap((one) => [...resourcesOf(one, 'AWS::Logs::LogGroup')]));
    const used = functions.map(({ properties }) => {
      const { LogGroup } = properties['LoggingConfig'] as { LogGroup: { Ref: string } };
      return LogGroup.Ref;
    });

    expect(new Set(used).size).toBe(functions.length);
    for (const group of groups.values()) expect(group.Properties['RetentionInDays']).toBe(365);
    for (const id of used) expect(groups.has(id)).toBe(true);
  });

  test('are given their stage, and the registry settings if they call registries', () => {
    for (const { environment } of functions) expect(environment['STAGE']).toBe('prod');
    expect(named('nin-basic').environment).toMatchObject({
      REGISTRIES: '{}',
      REGISTRY_TIMEOUT_MS: '20000',
      LOG_RETENTION_DAYS: '365',
    });
  });

  test('call the sandbox at the URL of its function', () => {
    const [[urlId, url] = []] = resourcesOf(invoked, 'AWS::Lambda::Url');

    expect(url?.Properties).toMatchObject({
      AuthType: 'AWS_IAM',
      TargetFunctionArn: { 'Fn::GetAtt': [named('sandbox-registry').logicalId, 'Arn'] },
    });
    expect(named('nin-basic').environment['SANDBOX_URL']).toEqual({ 'Fn::GetAtt': [urlId, 'FunctionUrl'] });
  });

  test('that sweep, settle and publish run every minute, and the reconciliation every hour, to begin or continue its daily run', () => {
    const schedules = [...resourcesOf(api, 'AWS::Events::Rule').values()].map(({ Properties }) => {
      const [target] = Properties['Targets'] as { Arn: { 'Fn::GetAtt': [string, string] } }[];
      return [Properties['ScheduleExpression'], target?.Arn['Fn::GetAtt'][0], Properties['State']];
    });

    expect(schedules).toEqual([
      ['rate(1 minute)', named('sweep-holds').logicalId, 'ENABLED'],
      ['rate(1 hour)', named('reconcile-wallets').logicalId, 'ENABLED'],
      ['rate(1 minute)', named('settle-top-ups').logicalId, 'ENABLED'],
      ['rate(1 minute)', named('publish-events').logicalId, 'ENABLED'],
    ]);
  });
});
