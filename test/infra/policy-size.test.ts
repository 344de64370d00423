import { expect, test } from '@jest/globals';
import { Deployment, type Resource, type Template } from '../../infra/local/templates/template.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { LIVE_PROVIDER_NAMES, LIVE_PROVIDERS } from '../../shared/registries/providers/catalogue.ts';
import { PIN } from '../support/pin-stages.ts';
import { CONSOLE } from './console.ts';
import { MONEY_SETTINGS } from './money.ts';
import { synthesizeStacks } from './synthesis.ts';

/** IAM refuses larger policies, and only when they are deployed. White space does not count ("IAM and AWS STS quotas"). */
const MOST_CHARACTERS = { managed: 6_144, inline: 10_240, trust: 2_048 } as const;
const MOST_MANAGED_POLICIES = 10;
/** The rest is for features to come. */
const USABLE = 0.9;

const LONGEST_REGION = 'ap-southeast-1';
const ID_LENGTHS: Readonly<Record<string, number>> = { 'AWS::ApiGateway::RestApi': 10, 'AWS::KMS::Key': 36 };

/** The stacks with names as long as AWS generates them. */
class OnAws extends Deployment {
  override name(resource: Resource): string {
    const length = ID_LENGTHS[resource.type];
    if (length) return 'x'.repeat(length);
    const name = super.name(resource);
    const isGenerated = name === `${resource.stack.name}-${resource.logicalId}`;
    return isGenerated ? `${name}-${'X'.repeat(13)}` : name;
  }

  /** The probe reads an output of another region, the ARN of a secret. */
  override resolve(...[stack, value]: Parameters<Deployment['resolve']>): ReturnType<Deployment['resolve']> {
    const isOutput = value !== null && typeof value === 'object' && 'Fn::GetStackOutput' in value;
    return isOutput ? 'x'.repeat(120) : super.resolve(stack, value);
  }
}

// The name of this stage is the longest, and every optional feature adds permissions.
const stacks = synthesizeStacks('staging', {
  changes: {
    ...CONSOLE,
    money: { ...MONEY_SETTINGS, exportBucket: 'x'.repeat(63) },
    customerManagedKey: true,
    registries: Object.fromEntries(
      ID_TYPES.map((type) => [
        type,
        LIVE_PROVIDER_NAMES.filter((name) => type in LIVE_PROVIDERS[name].idTypes),
      ]),
    ),
    operations: {
      accountConcurrency: 1_000,
      alarmEmail: 'alarms@example.com',
      rollout: 'canary',
      traces: true,
      domain: { name: 'api.example.com', hostedZone: CONSOLE.console.domain.hostedZone },
      generatedUrl: 'closed',
      probeRegion: 'eu-central-1',
      backup: { account: '210987654321', region: 'eu-central-1' },
      delivery: { repository: 'example/identity', identityProvider: 'create' },
    },
  },
});
const deployment = new OnAws(
  stacks.map(({ name, template }) => ({ name, template: template as unknown as Template })),
);
const managed = deployment.ofType('AWS::IAM::ManagedPolicy');
const roles = deployment.ofType('AWS::IAM::Role');

const sizeOf = (document: unknown) => JSON.stringify(document).replaceAll(PIN.region, LONGEST_REGION).length;

/** Returns the policies of a type that are attached to a role. */
const attachedTo = (role: Resource, type: 'AWS::IAM::Policy' | 'AWS::IAM::ManagedPolicy') =>
  deployment
    .ofType(type)
    .map((policy) => deployment.properties(policy))
    .filter(({ Roles }) => Array.isArray(Roles) && Roles.includes(deployment.name(role)));

function inlineOf(role: Resource): unknown[] {
  const { Policies = [] } = deployment.properties(role);
  const own = Policies as { readonly PolicyDocument: unknown }[];
  return [...own, ...attachedTo(role, 'AWS::IAM::Policy')].map(({ PolicyDocument }) => PolicyDocument);
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

test.each([
  ['managed', managed, (one: Resource) => sizeOf(deployment.properties(one)['PolicyDocument'])],
  ['inline', roles, (one: Resource) => sum(inlineOf(one).map(sizeOf))],
  ['trust', roles, (one: Resource) => sizeOf(deployment.properties(one)['AssumeRolePolicyDocument'])],
] as const)(
  'the %s policies have at most nine tenths of the characters that IAM allows',
  (kind, all, sizeIn) => {
    const sizes = all.map((one) => [`${one.stack.name}/${one.logicalId}`, sizeIn(one)] as const);
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.filter(([, size]) => size > MOST_CHARACTERS[kind] * USABLE)).toEqual([]);
  },
);

test('no role has more managed policies than IAM attaches to one', () => {
  for (const role of roles) {
    const { ManagedPolicyArns = [] } = deployment.properties(role);
    const count =
      (ManagedPolicyArns as unknown[]).length + attachedTo(role, 'AWS::IAM::ManagedPolicy').length;
    expect(count).toBeLessThanOrEqual(MOST_MANAGED_POLICIES);
  }
});

test('a function is updated only after the managed policies of its role', () => {
  const waits = stacks.flatMap(({ template: { Resources = {} } }) => {
    const ofType = (type: string) => Object.entries(Resources).filter(([, { Type }]) => Type === type);
    return ofType('AWS::IAM::ManagedPolicy').flatMap(([policy, { Properties }]) =>
      ofType('AWS::Lambda::Function')
        .filter(([, one]) =>
          JSON.stringify(Properties?.['Roles']).includes(
            `"${Object(one.Properties?.['Role'])['Fn::GetAtt'][0]}"`,
          ),
        )
        .map(([, one]) => Object(one)['DependsOn'].includes(policy)),
    );
  });
  expect(waits).toEqual([true]);
});
