import { describe, expect, test } from '@jest/globals';
import type { DeliveryConfig } from '../../infra/config.ts';
import { type Properties, resourcesOf, type Statement, synthesize, synthesizeStacks } from './synthesis.ts';

/** Tests the promises in docs/operate/delivery.md about the role that GitHub Actions uses to deploy. */

const DELIVERY = { repository: 'acme/identity', identityProvider: 'create' } as const;
const ISSUER = 'token.actions.githubusercontent.com';

function withDelivery(delivery: DeliveryConfig, stage = 'prod') {
  return synthesize(stage, { operations: { accountConcurrency: 1_000, delivery } }).delivery;
}

interface Document {
  readonly Statement: readonly Statement[];
}

function roleIn(template: ReturnType<typeof withDelivery>): Properties {
  const roles = [...resourcesOf(template, 'AWS::IAM::Role').values()];
  expect(roles).toHaveLength(1);
  return roles[0]?.Properties ?? {};
}

describe("the pipeline's role", () => {
  test('trusts only jobs of the environment named after the stage, in one repository', () => {
    const role = roleIn(withDelivery(DELIVERY, 'staging'));
    const { Statement: trust } = role['AssumeRolePolicyDocument'] as Document;
    expect(role['RoleName']).toBe('identity-staging-delivery');
    expect(trust).toEqual([
      {
        Effect: 'Allow',
        Action: 'sts:AssumeRoleWithWebIdentity',
        Principal: { Federated: { Ref: expect.stringMatching(/^GitHub/) } },
        Condition: {
          StringEquals: {
            [`${ISSUER}:aud`]: 'sts.amazonaws.com',
            [`${ISSUER}:sub`]: 'repo:acme/identity:environment:staging',
          },
        },
      },
    ]);
  });

  test('can trust a repository by its immutable IDs', () => {
    const role = roleIn(withDelivery({ ...DELIVERY, repository: 'acme@123456/identity@456789' }));
    expect(JSON.stringify(role['AssumeRolePolicyDocument'])).toContain(
      '"repo:acme@123456/identity@456789:environment:prod"',
    );
  });

  test('may only assume the two deployment roles of the CDK bootstrap in its account and region', () => {
    const template = withDelivery(DELIVERY);
    const role = roleIn(template);
    const policies = role['Policies'] as { PolicyDocument: Document }[];
    const arn = (name: string) => ({
      'Fn::Join': [
        '',
        [
          'arn:',
          { Ref: 'AWS::Partition' },
          `:iam::123456789012:role/cdk-hnb659fds-${name}-123456789012-eu-west-1`,
        ],
      ],
    });
    expect(policies.map(({ PolicyDocument }) => PolicyDocument.Statement)).toEqual([
      [
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRole',
          Resource: [arn('deploy-role'), arn('file-publishing-role')],
        },
      ],
    ]);
    expect(role).not.toHaveProperty('ManagedPolicyArns');
    expect(resourcesOf(template, 'AWS::IAM::Policy').size).toBe(0);
    expect(resourcesOf(template, 'AWS::IAM::ManagedPolicy').size).toBe(0);
  });

  test('uses an identity provider that outlives the stack, or the one that the account already has', () => {
    const created = withDelivery(DELIVERY);
    const [provider] = resourcesOf(created, 'AWS::IAM::OIDCProvider').values();
    expect(provider).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: { Url: `https://${ISSUER}`, ClientIdList: ['sts.amazonaws.com'] },
    });
    const existing = withDelivery({ ...DELIVERY, identityProvider: 'existing' });
    expect(resourcesOf(existing, 'AWS::IAM::OIDCProvider').size).toBe(0);
    expect(JSON.stringify(roleIn(existing)['AssumeRolePolicyDocument'])).toContain(
      `:iam::123456789012:oidc-provider/${ISSUER}"`,
    );
  });

  test('is deployed after all other stacks, which `cdk deploy --all` would skip if it failed', () => {
    const operations = { accountConcurrency: 1_000, delivery: DELIVERY };
    const stacks = synthesizeStacks('prod', { changes: { operations } });
    expect(stacks.at(-1)?.name).toBe('identity-prod-delivery');
  });

  test('does not exist unless the stage has the setting', () => {
    expect(synthesize('prod').delivery.toJSON()).toEqual({});
  });

  test.each([
    'acme/*',
    '*/identity',
    'acme',
    'acme/identity:ref:refs/heads/main',
    'acme@1/identity',
    'a b/c',
  ])('cannot trust "%s"', (repository) => {
    expect(() => withDelivery({ ...DELIVERY, repository })).toThrow(
      /operations\.delivery\.repository: Use organisation\/repository, or/,
    );
  });
});
