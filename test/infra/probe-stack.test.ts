import { expect, test } from '@jest/globals';
import { PIN } from '../support/pin-stages.ts';
import { ADDS_ALARMS } from './expected-alarms.ts';
import { propertiesOf, resourcesOf, synthesize, synthesizeStacks } from './synthesis.ts';

/** The stack that checks the API from another region (`operations.probeRegion`). */

const { domain, accountConcurrency } = ADDS_ALARMS;
const operations = {
  accountConcurrency,
  domain,
  generatedUrl: 'closed' as const,
  alarmEmail: 'on-call@example.com',
  probeRegion: 'eu-central-1',
};
const { probe } = synthesize('prod', { operations });

test('a stage without the setting has no such stack', () => {
  const names = synthesizeStacks('prod').map(({ name }) => name);
  expect(names).not.toContain('identity-prod-probe');
});

test('the function runs each minute, and may only read the test key in the region of the stage', () => {
  probe.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)' });
  const [handler, ...others] = propertiesOf(probe, 'AWS::Lambda::Function');
  expect(others).toEqual([]);
  const arn = {
    'Fn::GetStackOutput': expect.objectContaining({
      StackName: 'identity-prod-data',
      OutputName: 'TestKeySecret',
      Region: PIN.region,
    }),
  };
  expect(handler?.['Environment']).toMatchObject({
    Variables: {
      PROBED_URL: 'https://api.example.com',
      SECRETS_REGION: PIN.region,
      TEST_KEY_SECRET: arn,
    },
  });
  const [role] = propertiesOf(probe, 'AWS::IAM::Role');
  const policies = JSON.stringify(role?.['Policies']);
  expect(policies).toContain('secretsmanager:GetSecretValue');
  expect(policies).not.toMatch(/dynamodb|sqs:|lambda:|kms:/);
});

test('three failed minutes, or three without a run, send a page from the region of the probe', () => {
  const [topic] = resourcesOf(probe, 'AWS::SNS::Topic').keys();
  probe.hasResourceProperties('AWS::SNS::Subscription', { Endpoint: 'on-call@example.com' });
  probe.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: 'identity-prod-probe-failed',
    EvaluationPeriods: 3,
    Threshold: 0,
    TreatMissingData: 'breaching',
    AlarmActions: [{ Ref: topic }],
    OKActions: [{ Ref: topic }],
  });
  expect(JSON.stringify(propertiesOf(probe, 'AWS::CloudWatch::Alarm'))).toContain('FILL(value, 1)');
});

test('the probe must not be in the region of the stage, with which it would fail', () => {
  for (const probeRegion of [PIN.region])
    expect(() => synthesize('prod', { operations: { ...operations, probeRegion } })).toThrow(
      'must differ from the region of the stage',
    );
});
