import { describe, expect, test } from '@jest/globals';
import { OPERATOR_ROLES } from '../../shared/operators/actions.ts';
import {
  functionsOf,
  listOf,
  nameInApp,
  type Resource,
  resourcesOf,
  type Statement,
  synthesize,
} from './synthesis.ts';

/** The customer-managed key (docs/operate/key-of-the-stage.md). */

const { data, functions: invoked, api, access } = synthesize('prod');
const [key, ...otherKeys] = [...resourcesOf(data, 'AWS::KMS::Key')];
const [keyId, keyResource] = key ?? [];

const policy = keyResource?.Properties['KeyPolicy'] as { Statement: (Statement & { Principal: unknown })[] };

/** Returns the names of the resources of this type that refer to the key. */
function namesWithKey(template: typeof data, type: string): string[] {
  const resources = [...resourcesOf(template, type).values()];
  return resources.filter(namesKey).map(nameInApp).sort();
}

function namesKey({ Properties }: Resource): boolean {
  return JSON.stringify(Properties).includes(`"${keyId}"`);
}

interface KeyRight {
  readonly service: string;
  readonly actions: readonly string[];
}

const VIA =
  /^\{"StringEquals":\{"kms:ViaService":(?:\[)?\{"Fn::Join":\["",\["(\w+)\.",\{"Ref":"AWS::Region"\},"\.amazonaws\.com"\]\]\}/;

function keyRights(statements: readonly Statement[]): KeyRight[] {
  return statements
    .filter(({ Action }) => listOf(Action).some((action) => action.startsWith('kms:')))
    .map(({ Action, Condition, Resource }) => {
      expect(JSON.stringify(Resource)).toContain(`Key`);
      expect(JSON.stringify(Resource)).not.toContain('*');
      const [, service = 'unlimited'] = VIA.exec(JSON.stringify(Condition)) ?? [];
      return { service, actions: listOf(Action) };
    });
}

const can = (rights: readonly KeyRight[], service: string, action: string) =>
  rights.some((right) => right.service === service && right.actions.includes(action));

const usesOf = (statements: readonly Statement[], action: RegExp, resource: string) =>
  statements.some(
    ({ Action, Resource }) =>
      listOf(Action).some((one) => action.test(one)) && JSON.stringify(Resource).includes(resource),
  );

describe('the customer-managed key of prod', () => {
  test('rotates, and survives the deletion of its stack', () => {
    expect(otherKeys).toEqual([]);
    expect(keyResource).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: { EnableKeyRotation: true },
    });
  });

  test('protects the pepper and VerificationLogs, and nothing else', () => {
    expect(namesWithKey(data, 'AWS::DynamoDB::GlobalTable')).toEqual(['VerificationLogs']);
    expect(namesWithKey(data, 'AWS::SecretsManager::Secret')).toEqual(['Pepper']);
  });

  test('can be used only through DynamoDB and Secrets Manager, whatever IAM policies allow', () => {
    const [administer, use, grant, ...others] = policy.Statement;

    expect(others).toEqual([]);
    for (const action of listOf(administer?.Action ?? []))
      expect(action).not.toMatch(/\*|Crypt|Sign|Mac|DataKey|CreateGrant/i);
    for (const statement of [use, grant])
      expect(JSON.stringify(statement?.Condition)).toContain('kms:ViaService');
    expect(grant).toMatchObject({
      Action: 'kms:CreateGrant',
      Condition: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
    });
    for (const { Principal } of policy.Statement) expect(JSON.stringify(Principal)).toContain(':root');
  });

  test('can be used by exactly the functions that need it, through DynamoDB or Secrets Manager', () => {
    const functions = functionsOf(invoked, api);
    const users = functions.filter(({ statements }) => keyRights(statements).length > 0);
    expect(users.length).toBeGreaterThan(10);
    expect(users.length).toBeLessThan(functions.length);
    for (const { name, statements } of functions) {
      const rights = keyRights(statements);
      expect({
        name,
        reads: can(rights, 'dynamodb', 'kms:Decrypt'),
        writes: can(rights, 'dynamodb', 'kms:GenerateDataKey'),
        decryptsPepper: can(rights, 'secretsmanager', 'kms:Decrypt'),
        other: rights.filter(({ service }) => !['dynamodb', 'secretsmanager'].includes(service)),
      }).toEqual({
        name,
        reads: usesOf(statements, /^dynamodb:/, 'VerificationLogs'),
        writes: usesOf(statements, /^dynamodb:(Put|Update)/, 'VerificationLogs'),
        decryptsPepper: usesOf(statements, /:GetSecretValue$/, 'Pepper'),
        other: [],
      });
    }
  });

  test('lets no role decrypt the pepper, and lets those that reconcile and break-glass use only the table', () => {
    const policies = [...resourcesOf(access, 'AWS::IAM::ManagedPolicy').values()];
    const services = policies.map(({ Properties }) => {
      const { Statement: statements } = Properties['PolicyDocument'] as { Statement: Statement[] };
      const rights = keyRights(statements);
      return [Properties['ManagedPolicyName'], rights.map(({ service }) => service)];
    });
    expect(Object.fromEntries(services)).toEqual({
      'identity-prod-operator': [],
      'identity-prod-finance': [],
      'identity-prod-reconciliation': ['dynamodb'],
      'identity-prod-finance-read-only': [],
      'identity-prod-privacy': [],
      'identity-prod-break-glass': ['dynamodb'],
      'identity-prod-engineer': [],
      'identity-prod-engineer-diagnostics': [],
      'identity-prod-engineer-preflight': [],
      'identity-prod-read-only': [],
    });
    expect(services).toHaveLength(OPERATOR_ROLES.length + 4);
  });
});

describe('a key that protects nothing', () => {
  const off = synthesize('prod', { customerManagedKey: false });

  test.each(['dev', 'staging'])('exists in %s', (stage) => {
    expect(resourcesOf(synthesize(stage).data, 'AWS::KMS::Key').size).toBe(1);
    expect(namesWithKey(synthesize(stage).data, 'AWS::DynamoDB::GlobalTable')).toEqual([]);
    expect(namesWithKey(synthesize(stage).data, 'AWS::SecretsManager::Secret')).toEqual([]);
  });

  test('can be used by the same functions and roles, so that no request fails when the setting changes', () => {
    expect(off.functions.toJSON()).toEqual(invoked.toJSON());
    expect(off.api.toJSON()).toEqual(api.toJSON());
    expect(off.access.toJSON()).toEqual(access.toJSON());
  });
});
