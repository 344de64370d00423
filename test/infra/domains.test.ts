import { describe, expect, test } from '@jest/globals';
import type { StageConfig } from '../../infra/config.ts';
import { functionsOf, propertiesOf, resourcesOf, synthesize } from './synthesis.ts';

/** Tests the promises in docs/operate/domains.md. */

const prod = synthesize('prod');

function withOperations(operations: StageConfig['operations']) {
  return synthesize('prod', { operations });
}

const certificateArn = 'arn:aws:acm:eu-west-1:111122223333:certificate/made-up';
const hostedZone = { id: 'Z0MADEUP', name: 'example.com' };

describe('a domain', () => {
  const domain = { name: 'api.example.com', certificateArn, hostedZone };
  const { api, functions } = withOperations({ accountConcurrency: 1_000, domain, generatedUrl: 'closed' });

  test('requires TLS 1.2', () => {
    expect(propertiesOf(api, 'AWS::ApiGateway::DomainName')).toEqual([
      expect.objectContaining({
        DomainName: 'api.example.com',
        SecurityPolicy: 'TLS_1_2',
        RegionalCertificateArn: certificateArn,
        EndpointConfiguration: { Types: ['REGIONAL'] },
      }),
    ]);
  });

  test('serves the API at its root, and is its only address once the generated URL is closed', () => {
    const [mapping, ...others] = propertiesOf(api, 'AWS::ApiGateway::BasePathMapping');

    expect(mapping?.['BasePath']).toBeUndefined();
    expect(others).toEqual([]);
    expect(propertiesOf(api, 'AWS::ApiGateway::RestApi')[0]).toMatchObject({
      DisableExecuteApiEndpoint: true,
    });
  });

  test('has a DNS record in its hosted zone, and is the URL of the API and of QR codes', () => {
    expect(propertiesOf(api, 'AWS::Route53::RecordSet')).toEqual([
      expect.objectContaining({ Name: 'api.example.com.', Type: 'A', HostedZoneId: 'Z0MADEUP' }),
    ]);
    api.hasOutput('ApiUrl', { Value: 'https://api.example.com/' });
    const slip = functionsOf(functions).find(({ name }) => name === 'nin-slip');
    expect(slip?.environment['PUBLIC_BASE_URL']).toBe('https://api.example.com');
  });

  test('is optional, because API Gateway generates a URL', () => {
    expect(propertiesOf(prod.api, 'AWS::ApiGateway::DomainName')).toEqual([]);
    expect(propertiesOf(prod.api, 'AWS::ApiGateway::RestApi')[0]).toHaveProperty(
      'DisableExecuteApiEndpoint',
      false,
    );
  });
});

describe('a domain without certificateArn', () => {
  const domain = { name: 'api.example.com', hostedZone };
  const { api, operations } = withOperations({ accountConcurrency: 1_000, domain, generatedUrl: 'closed' });
  const [certificate, ...others] = resourcesOf(api, 'AWS::CertificateManager::Certificate');
  const [id, resource] = certificate ?? [];

  test('has a certificate that the hosted zone validates and that no deployment deletes', () => {
    expect(others).toEqual([]);
    expect(resource).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        DomainName: 'api.example.com',
        ValidationMethod: 'DNS',
        DomainValidationOptions: [{ DomainName: 'api.example.com', HostedZoneId: 'Z0MADEUP' }],
      },
    });
    expect(propertiesOf(api, 'AWS::ApiGateway::DomainName')[0]).toMatchObject({
      RegionalCertificateArn: { Ref: id },
    });
  });

  test('has an alarm on that certificate, which does not prevent the removal of the domain', () => {
    const alarm = propertiesOf(operations, 'AWS::CloudWatch::Alarm').find(
      ({ MetricName }) => MetricName === 'DaysToExpiry',
    );
    const dimensions = (alarm?.['Dimensions'] ?? []) as { Value: Record<string, Record<string, string>> }[];
    const { StackName, OutputName = '' } = dimensions[0]?.Value['Fn::GetStackOutput'] ?? {};

    expect(StackName).toBe('identity-prod-api');
    api.hasOutput(OutputName, { Value: { Ref: id } });
    expect(api.findOutputs(OutputName)[OutputName]).not.toHaveProperty('Export');
  });
});

test('in another hosted zone gets an alarm on its new certificate', () => {
  const outputOf = (id: string) => {
    const domain = { name: 'api.example.com', hostedZone: { ...hostedZone, id } };
    const { operations } = withOperations({ accountConcurrency: 1_000, domain, generatedUrl: 'closed' });
    const [alarm] = [...resourcesOf(operations, 'AWS::CloudWatch::Alarm').values()].filter(
      ({ Properties }) => Properties['MetricName'] === 'DaysToExpiry',
    );
    return JSON.stringify(alarm?.Properties['Dimensions']);
  };
  expect(outputOf('Z0MADEUP')).toContain('Fn::GetStackOutput');
  expect(outputOf('Z0OTHER')).not.toBe(outputOf('Z0MADEUP'));
});

describe('an address that is replaced', () => {
  const openUntil = '2027-03-31';
  const old = { name: 'api.example.com', hostedZone };
  const domain = { name: 'api.example.ng', certificateArn };
  const addresses = (operations: Partial<NonNullable<StageConfig['operations']>>) =>
    withOperations({ accountConcurrency: 1_000, ...operations });
  const first = addresses({ domain: old, generatedUrl: { openUntil } });
  const second = addresses({ domain, generatedUrl: 'closed', previousDomains: [{ ...old, openUntil }] });
  const domainOf = ({ api }: typeof first, name: string) =>
    [...resourcesOf(api, 'AWS::ApiGateway::DomainName')].find(
      ([, { Properties }]) => Properties['DomainName'] === name,
    );

  test('stays open if it is the generated URL and the first domain is added', () => {
    expect(propertiesOf(first.api, 'AWS::ApiGateway::RestApi')[0]).toHaveProperty(
      'DisableExecuteApiEndpoint',
      false,
    );
    expect(domainOf(first, 'api.example.com')).toBeDefined();
  });

  test('stays open, with the same resources, if it is the first domain and a second is added', () => {
    expect(domainOf(second, 'api.example.com')).toEqual(domainOf(first, 'api.example.com'));
    expect(domainOf(second, 'api.example.ng')).toBeDefined();
    expect(propertiesOf(second.api, 'AWS::ApiGateway::BasePathMapping')).toHaveLength(2);
    for (const type of ['AWS::CertificateManager::Certificate', 'AWS::Route53::RecordSet'])
      expect([...resourcesOf(second.api, type)]).toEqual([...resourcesOf(first.api, type)]);
  });

  test('keeps the alarm on its certificate', () => {
    const names = propertiesOf(second.operations, 'AWS::CloudWatch::Alarm').map(({ AlarmName }) => AlarmName);
    for (const { name } of [old, domain])
      expect(names).toContain(`identity-prod-certificate-expiring-${name}`);
  });

  test('is no longer the URL of the API', () => {
    second.api.hasOutput('ApiUrl', { Value: 'https://api.example.ng/' });
    const target = second.api.findOutputs('DomainTarget')['DomainTarget'];
    expect(JSON.stringify(target)).toContain(domainOf(second, 'api.example.ng')?.[0]);
  });

  test('is closed by a new API deployment if it is the generated URL, as API Gateway requires', () => {
    const closed = addresses({ domain: old, generatedUrl: 'closed' });
    const deploymentOf = ({ api }: typeof first) => [
      ...resourcesOf(api, 'AWS::ApiGateway::Deployment').keys(),
    ];
    expect(deploymentOf(closed)).not.toEqual(deploymentOf(first));
    expect(deploymentOf(second)).toEqual(deploymentOf(closed));
  });
});
