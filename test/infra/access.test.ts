import { describe, expect, test } from '@jest/globals';
import {
  type DeployedFunction,
  functionsOf,
  listOf,
  resourcesOf,
  type Statement,
  synthesize,
} from './synthesis.ts';

const { api } = synthesize();
const functions = functionsOf(api);

const TABLES = ['ApiKeys', 'Wallets', 'VerificationLogs'] as const;
const CHARGING = [
  'nin-basic',
  'nin-premium',
  'bvn-basic',
  'bvn-premium',
  'cac-basic',
  'cac-premium',
  'tin-basic',
  'nuban-basic',
  'verify-identity',
  'nin-slip',
];

/** The statements of a service, for example `dynamodb`, optionally of those about one table or its indexes. */
function statementsOn({ statements }: DeployedFunction, service: string, table = ''): Statement[] {
  return statements.filter(
    ({ Action, Resource }) =>
      listOf(Action).some((action) => action.startsWith(`${service}:`)) &&
      JSON.stringify(Resource).includes(table),
  );
}

function actionsOn(item: DeployedFunction, service: string, table = ''): Set<string> {
  return new Set(statementsOn(item, service, table).flatMap(({ Action }) => listOf(Action)));
}

/** The names of the functions of which something holds. */
function namesWhere(holds: (item: DeployedFunction) => boolean): string[] {
  return functions
    .filter(holds)
    .map(({ name }) => name)
    .sort();
}

const readers = (variable: string) => namesWhere(({ environment }) => variable in environment);

describe('what functions may touch', () => {
  test('no statement has a wildcard in its actions, and none but that of traces in its resources', () => {
    const all = functions.flatMap(({ statements }) => statements);
    expect(all.length).toBeGreaterThan(50);
    for (const { Effect, Action, Resource } of all) {
      expect(Effect).toBe('Allow');
      for (const action of listOf(Action))
        expect(action).toMatch(/^(dynamodb|secretsmanager|logs|sqs|xray|events):[A-Za-z]+$/);
      if (listOf(Action).every((action) => action.startsWith('xray:Put'))) expect(Resource).toBe('*');
      else expect(JSON.stringify(Resource)).not.toContain('*');
    }
  });

  test('no function can delete an item, or change tables', () => {
    const allowed = new Set(functions.flatMap((item) => [...actionsOn(item, 'dynamodb')]));

    expect([...allowed].sort()).toEqual(
      ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'].map((name) => `dynamodb:${name}`),
    );
  });

  test('only the reconciler scans, and it writes nothing', () => {
    expect(namesWhere((item) => actionsOn(item, 'dynamodb').has('dynamodb:Scan'))).toEqual([
      'reconcile-wallets',
    ]);
    const reconciler = functions.filter(({ name }) => name === 'reconcile-wallets');
    for (const item of reconciler) {
      for (const action of actionsOn(item, 'dynamodb'))
        expect(action).toMatch(/:(Scan|GetItem|BatchGetItem)$/);
    }
  });

  test('updates in ApiKeys reach rows of limiter, registries and events only, and nothing is put there', () => {
    for (const item of functions) {
      const writes = statementsOn(item, 'dynamodb', 'ApiKeys').filter(({ Action }) =>
        listOf(Action).some((action) => /Put|Update/.test(action)),
      );
      const patterns = CHARGING.includes(item.name)
        ? ['RATE#*', 'REGISTRY#*']
        : [item.name === 'publish-events' ? 'EVENTS' : 'RATE#*'];
      for (const { Action, Condition } of writes) {
        expect(Action).toBe('dynamodb:UpdateItem');
        expect(Condition).toEqual({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } });
      }
    }
  });

  test('a log row is written once and never updated', () => {
    expect(
      namesWhere((item) => actionsOn(item, 'dynamodb', 'VerificationLogs').has('dynamodb:PutItem')),
    ).toEqual([...CHARGING, 'sweep-holds'].sort());
    expect(
      namesWhere((item) => actionsOn(item, 'dynamodb', 'VerificationLogs').has('dynamodb:UpdateItem')),
    ).toEqual([]);
  });

  test('only charging functions and the sweeper move money', () => {
    const moves = (item: DeployedFunction) =>
      [...actionsOn(item, 'dynamodb', 'Wallets')].some((action) => /Put|Update/.test(action));
    expect(namesWhere(moves)).toEqual([...CHARGING, 'sweep-holds'].sort());
  });

  test.each(TABLES)('a function is told the name of %s exactly where it may touch it', (table) => {
    const variable = `${table.replace(/(?<=.)([A-Z])/g, '_$1').toUpperCase()}_TABLE`;
    expect(readers(variable)).toEqual(namesWhere((item) => actionsOn(item, 'dynamodb', table).size > 0));
    expect(readers(variable).length).toBeGreaterThan(10);
  });

  test('a function may read exactly the secrets whose ARNs it is told', () => {
    for (const item of functions) {
      const published = Object.entries(item.environment).filter(([name]) => name.endsWith('_SECRET'));
      const readable = statementsOn(item, 'secretsmanager')
        .filter(({ Action }) => Action === 'secretsmanager:GetSecretValue')
        .flatMap(({ Resource }) => listOf(Resource));
      const sorted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort();
      expect(sorted(readable)).toEqual(sorted(published.map(([, value]) => value)));
      const watches = item.name === 'publish-events' ? ['secretsmanager:ListSecretVersionIds'] : [];
      expect([...actionsOn(item, 'secretsmanager')]).toEqual(
        published.length > 0 ? ['secretsmanager:GetSecretValue'] : watches,
      );
    }
  });

  test('the publisher sees the age of every secret in use but the pepper, and reads none', () => {
    const routed = synthesize('prod', { registries: { NIN: ['prembly'], NUBAN: ['paystack', 'prembly'] } });
    const [publisher] = functionsOf(routed.api).filter(({ name }) => name === 'publish-events');
    if (!publisher) throw new Error('There is no publisher.');
    const [statement, ...others] = statementsOn(publisher, 'secretsmanager');
    const watched = listOf(statement?.Resource).map((arn) => JSON.stringify(arn));

    expect(others).toEqual([]);
    expect(statement?.Action).toBe('secretsmanager:ListSecretVersionIds');
    expect(watched).toHaveLength(4);
    for (const name of ['SlipKey', 'SandboxKey', 'Registryprembly', 'Registrypaystack'])
      expect(watched.filter((arn) => arn.includes(`Ref${name}`))).toHaveLength(1);
    const published = JSON.stringify(publisher.environment['MONITORED_SECRETS']);
    for (const arn of watched) expect(published).toContain(arn);
  });

  test('pepper, slip key and sandbox key are where they are used, and nowhere else', () => {
    expect(readers('PEPPER_SECRET')).toEqual([...CHARGING].sort());
    expect(readers('SLIP_SECRET')).toEqual(['nin-slip', 'slip-check']);
    expect(readers('SANDBOX_SECRET')).toEqual([...CHARGING, 'sandbox-registry'].sort());
  });

  test('a provider shows its credentials only to the functions that ask it', () => {
    const { api: routed } = synthesize('prod', {
      registries: { NIN: ['prembly', 'dojah'], NUBAN: ['paystack'] },
    });
    const published = (variable: string) =>
      functionsOf(routed)
        .filter(({ environment }) => variable in environment)
        .map(({ name }) => name)
        .sort();

    expect(published('PREMBLY_SECRET')).toEqual(['nin-basic', 'nin-premium', 'nin-slip', 'verify-identity']);
    expect(published('DOJAH_SECRET')).toEqual(published('PREMBLY_SECRET'));
    expect(published('PAYSTACK_SECRET')).toEqual(['nuban-basic']);
    expect(published('QOREID_SECRET')).toEqual([]);
  });

  test('only the publisher sends events, to the bus of the stage and no other', () => {
    expect(namesWhere((item) => actionsOn(item, 'events').size > 0)).toEqual(['publish-events']);
    const [bus, ...others] = resourcesOf(api, 'AWS::Events::EventBus').keys();
    expect(others).toEqual([]);
    for (const item of functions.filter(({ name }) => name === 'publish-events')) {
      expect(statementsOn(item, 'events')).toEqual([
        { Effect: 'Allow', Action: 'events:PutEvents', Resource: { 'Fn::GetAtt': [bus, 'Arn'] } },
      ]);
      expect(item.environment['EVENT_BUS']).toEqual({ Ref: bus });
    }
  });

  test('unknown routes, the API document and slip checks touch no table', () => {
    for (const item of functions.filter(({ name }) =>
      ['unknown-route', 'openapi', 'slip-check'].includes(name),
    )) {
      expect([...actionsOn(item, 'dynamodb')]).toEqual([]);
    }
  });
});
