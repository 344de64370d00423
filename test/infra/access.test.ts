import { describe, expect, test } from '@jest/globals';
import { INVOKED_BY_API } from '../../infra/routes.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import {
  type DeployedFunction,
  functionsOf,
  listOf,
  resourcesOf,
  type Statement,
  synthesize,
} from './synthesis.ts';

const { api, functions: invoked, access } = synthesize();
const functions = functionsOf(invoked, api);

const TABLES = ['ApiKeys', 'Wallets', 'VerificationLogs'] as const;
/** Matches the ARN of all versions of a function, or of all deployment groups of the stage. */
const VERSIONS = /(:function:identity-prod-[a-z-]+:|:deploymentgroup:identity-prod-api\/)\*/;
/** Matches the ARNs of the objects in the archive of the audit trail. */
const ARCHIVED = /\/(audit|changed)\/\*/;
const CHARGING = [...SERVICE_NAMES, 'verify-identity'];
/** The functions that book the credits of payments. */
const SETTLING = ['payment-return', 'paystack-webhook', 'settle-top-ups', 'top-up'];

/** What permits a put in ApiKeys: only the withdrawal of a slip. */
const WITHDRAWAL = {
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SLIP#*'] },
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'expiresAt'] },
  'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
};

/** Leading keys in Payments: those of wallet rows other than orders and prices, and those of orders. */
const WALLETS = ['live#??????????', 'test#??????????'];
const ORDERS = ['live#TOPUP#*', 'test#TOPUP#*'];

/** Returns a function's statements for a service, for example `dynamodb`, optionally only those for one table. */
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

/** Returns the sorted names of the functions that match. */
function namesWhere(matches: (item: DeployedFunction) => boolean): string[] {
  return functions
    .filter(matches)
    .map(({ name }) => name)
    .sort();
}

const readers = (variable: string) => namesWhere(({ environment }) => variable in environment);

const STARTS_PUBLISHER = {
  Effect: 'Allow',
  Action: 'lambda:InvokeFunction',
  Resource: expect.stringMatching(/:function:identity-prod-publish-events$/),
};

describe('function permissions:', () => {
  test('no action has a wildcard, and only resources for X-Ray, streams, versions, deployment groups and archived objects have one', () => {
    const all = functions.flatMap(({ statements }) => statements);
    expect(all.length).toBeGreaterThan(50);
    for (const { Effect, Action, Resource } of all) {
      expect(Effect).toBe('Allow');
      for (const action of listOf(Action))
        expect(action).toMatch(
          /^(dynamodb|secretsmanager|kms|lambda|logs|sqs|xray|events|codedeploy|s3):[A-Za-z]+$/,
        );
      if (listOf(Action).every((action) => /^(xray:Put|dynamodb:ListStreams$)/.test(action)))
        expect(Resource).toBe('*');
      else if (!VERSIONS.test(JSON.stringify(Resource)) && !ARCHIVED.test(JSON.stringify(Resource)))
        expect(JSON.stringify(Resource)).not.toContain('*');
    }
  });

  test.each([
    // Only the seals.
    ['Wallets', ['reconcile-wallets', 'settle-top-ups']],
    ['VerificationLogs', ['nin-slip', 'verifications']],
  ])('a permission to query an index of %s does not include the table, except for %j', (table, names) => {
    const isWhole = (resource: unknown) =>
      JSON.stringify(resource).includes(table) && !JSON.stringify(resource).includes('/index/');
    const queriesTable = ({ Action, Resource }: Statement) =>
      listOf(Action).includes('dynamodb:Query') && listOf(Resource).some(isWhole);
    expect(namesWhere((item) => item.statements.some(queriesTable))).toEqual(names);
  });

  test('only the check of new versions may access CodeDeploy and invoke versions of the functions behind the API', () => {
    expect(namesWhere((item) => actionsOn(item, 'codedeploy').size > 0)).toEqual(['check-new-version']);
    const [checker] = functions.filter(({ name }) => name === 'check-new-version');
    if (!checker) throw new Error('There is no check of new versions.');
    expect(statementsOn(checker, 'codedeploy')).toEqual([
      {
        Effect: 'Allow',
        Action: ['codedeploy:GetDeployment', 'codedeploy:PutLifecycleEventHookExecutionStatus'],
        Resource: expect.stringMatching(/:codedeploy:[^*]+:deploymentgroup:identity-prod-api\/\*$/),
      },
      {
        Effect: 'Allow',
        Action: 'codedeploy:GetApplicationRevision',
        Resource: expect.stringMatching(/:codedeploy:[^*]+:application:identity-prod-api$/),
      },
    ]);
    const [invoke, ...others] = statementsOn(checker, 'lambda');
    expect(others).toEqual([]);
    expect(invoke?.Action).toBe('lambda:InvokeFunction');
    expect(
      listOf(invoke?.Resource).map((arn) => /identity-prod-api-(.*):\*$/.exec(String(arn))?.[1]),
    ).toEqual(INVOKED_BY_API.map(({ name }) => name).sort());
    // The check finds the route of a function by its name without the prefix.
    const { CHECKED_PREFIX: prefix, CHECKED_ROUTES: routes } = checker.environment;
    const checked = Object.keys(JSON.parse(String(routes))).map((name) => `${prefix}${name}`);
    const deployed = functions.map(({ properties }) => properties['FunctionName']);
    expect(deployed).toEqual(expect.arrayContaining(checked));
  });

  test('S48: a function that deletes items, updates a log row, or scans', () => {
    const allowed = new Set(functions.flatMap((item) => [...actionsOn(item, 'dynamodb')]));
    const onStreams = /^(xray:|dynamodb:(ListStreams|DescribeStream|GetRecords|GetShardIterator)$)/;

    expect([...allowed].filter((action) => !onStreams.test(action)).sort()).toEqual(
      ['BatchGetItem', 'ConditionCheckItem', 'GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'].map(
        (name) => `dynamodb:${name}`,
      ),
    );
  });

  test('only the copier puts objects into the archive of the audit trail, and no function or role can delete one or shorten its retention', () => {
    const onArchive = Object.fromEntries(
      functions
        .map((item) => [item.name, [...actionsOn(item, 's3')].sort()] as const)
        .filter(([, actions]) => actions.length > 0),
    );
    expect(onArchive).toEqual({
      'copy-audit-trail': ['s3:GetObject', 's3:PutObject'],
      'reconcile-wallets': ['s3:GetObjectVersion', 's3:ListBucketVersions'],
    });
    const allowed = [api, access].map((template) => JSON.stringify(template.toJSON())).join();
    expect(allowed).not.toMatch(/s3:(Delete|Bypass|PutObjectRetention|PutBucket|\*)/);
  });

  test('only the reconciler and the copier of the audit trail scan tables, and the reconciler can write only seals and the row of its run', () => {
    expect(namesWhere((item) => actionsOn(item, 'dynamodb').has('dynamodb:Scan'))).toEqual([
      'copy-audit-trail',
      'reconcile-wallets',
    ]);
    const reconciler = functions.filter(({ name }) => name === 'reconcile-wallets');
    for (const item of reconciler) {
      for (const action of actionsOn(item, 'dynamodb'))
        expect(action).toMatch(/:(Scan|Query|GetItem|BatchGetItem|PutItem)$/);
      const puts = item.statements.filter(({ Action }) => listOf(Action).includes('dynamodb:PutItem'));
      expect(puts).toHaveLength(1);
      expect(puts[0]?.Condition).toMatchObject({
        'ForAllValues:StringLike': {
          'dynamodb:LeadingKeys': [
            'live#??????????#SEALS',
            'test#??????????#SEALS',
            'live#RECONCILIATION#RUN',
          ],
        },
      });
      // Balances, charges and credits need these attributes, which the policy does not allow.
      const attributes = JSON.stringify(puts[0]?.Condition);
      for (const name of ['available', 'credited', 'holds', 'cost', 'amount', 'state'])
        expect(attributes).not.toContain(`"${name}"`);
    }
  });

  test('functions can update only limiter, rejected-request, slip, registry and event rows of ApiKeys, and put only withdrawals of slips', () => {
    for (const item of functions) {
      const writes = statementsOn(item, 'dynamodb', 'ApiKeys').filter(({ Action }) =>
        listOf(Action).some((action) => /Put|Update/.test(action)),
      );
      const patterns = CHARGING.includes(item.name)
        ? ['RATE#*', 'REJECTED#*', 'REGISTRY#*']
        : item.name === 'publish-events'
          ? ['EVENTS']
          : item.name === 'slip-details'
            ? ['SLIP#*']
            : ['RATE#*', 'REJECTED#*'];
      const puts = writes.filter(({ Action }) => Action === 'dynamodb:PutItem');
      expect(puts.map(({ Condition }) => Condition)).toEqual(item.name === 'revoke-slip' ? [WITHDRAWAL] : []);
      for (const { Action, Condition } of writes.filter((write) => !puts.includes(write))) {
        expect(Action).toEqual(
          item.name === 'slip-details' ? ['dynamodb:GetItem', 'dynamodb:UpdateItem'] : 'dynamodb:UpdateItem',
        );
        expect(Condition).toEqual({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } });
      }
    }
  });

  test('log rows can be written but not updated', () => {
    expect(
      namesWhere((item) => actionsOn(item, 'dynamodb', 'VerificationLogs').has('dynamodb:PutItem')),
    ).toEqual([...CHARGING, 'sweep-holds'].sort());
    expect(
      namesWhere((item) => actionsOn(item, 'dynamodb', 'VerificationLogs').has('dynamodb:UpdateItem')),
    ).toEqual([]);
  });

  test('only functions that charge, sweep or settle, and the reconciler, can write to Wallets', () => {
    const writes = (item: DeployedFunction) =>
      [...actionsOn(item, 'dynamodb', 'Wallets')].some((action) => /Put|Update/.test(action));
    expect(namesWhere(writes)).toEqual([...CHARGING, ...SETTLING, 'sweep-holds', 'reconcile-wallets'].sort());
  });

  test.each(TABLES)('a function is given the name of table %s if and only if it may access it', (table) => {
    const variable = `${table.replace(/(?<=.)([A-Z])/g, '_$1').toUpperCase()}_TABLE`;
    expect(readers(variable)).toEqual(namesWhere((item) => actionsOn(item, 'dynamodb', table).size > 0));
    expect(readers(variable).length).toBeGreaterThan(10);
  });

  test('only functions that start or settle top-ups, or withdraw slips, write to the audit trail, in the transaction of the change', () => {
    const recording = [...SETTLING, 'revoke-slip', 'start-top-up'].sort();
    expect(readers('AUDIT_TRAIL_TABLE')).toEqual(
      ['copy-audit-trail', 'reconcile-wallets', ...recording].sort(),
    );
    const writers = functions.filter((item) =>
      [...actionsOn(item, 'dynamodb', 'AuditTrail')].some((action) => /Put|Update|Delete|Write/.test(action)),
    );
    expect(writers.map(({ name }) => name).sort()).toEqual(recording);
    for (const item of writers)
      expect(statementsOn(item, 'dynamodb', 'AuditTrail')).toMatchObject([
        {
          Action: 'dynamodb:PutItem',
          Condition: {
            'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ORG#*'] },
            'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
          },
        },
      ]);
  });

  test('the function that starts a payment can write only orders to Payments, and cannot credit a wallet', () => {
    const [starter] = functions.filter(({ name }) => name === 'start-top-up');
    if (!starter) throw new Error('There is no function that starts payments.');
    expect(actionsOn(starter, 'dynamodb', 'Wallets').size).toBe(0);
    const writes = statementsOn(starter, 'dynamodb', 'Payments').filter(({ Action }) =>
      listOf(Action).some((action) => /Put|Update/.test(action)),
    );
    const orders = { 'dynamodb:LeadingKeys': ORDERS };
    expect(writes).toMatchObject([{ Condition: { 'ForAllValues:StringLike': orders } }]);
  });

  test('the functions that settle payments can write to Payments only what a credit changes', () => {
    for (const item of functions.filter(({ name }) => SETTLING.includes(name))) {
      const statements = statementsOn(item, 'dynamodb', 'Payments');
      const writes = statements.filter(({ Action }) =>
        listOf(Action).some((action) => /Put|Update/.test(action)),
      );
      expect(writes.length).toBeGreaterThan(0);
      for (const { Action, Condition } of writes) {
        const keys: string[] = JSON.stringify(Condition ?? {}).match(/[A-Za-z]+#[^"]*/g) ?? [];
        expect(keys.length).toBeGreaterThan(0);
        for (const key of keys) expect([...WALLETS, ...ORDERS, 'COUNTER#*', 'AUTOMATIC#*']).toContain(key);
        if (item.name === 'settle-top-ups') continue;
        const attributes = Object(Object(Condition)['ForAllValues:StringEquals'])['dynamodb:Attributes'];
        // Of automatic top-ups, only that they stop.
        if (keys.includes('AUTOMATIC#*')) expect(attributes).not.toContain('thresholdCredits');
        if (!listOf(Action).includes('dynamodb:UpdateItem')) continue;
        expect(attributes).toEqual(['pk', 'sk', 'paidBackAt', 'version']);
      }
    }
  });

  test('the functions that show lots and documents can only read rows of wallets in Payments', () => {
    const rows = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': WALLETS } };
    for (const [name, action] of [
      ['wallet-lots', 'Query'],
      ['wallet-invoices', 'Query'],
      ['wallet-invoice', 'GetItem'],
    ]) {
      const [item] = functions.filter((one) => one.name === name);
      const found = item ? statementsOn(item, 'dynamodb', 'Payments') : [];
      expect(found).toMatchObject([{ Action: `dynamodb:${action}`, Condition: rows }]);
    }
  });

  test('verification functions may access neither Payments nor the secret of the payment provider', () => {
    for (const variable of ['PAYMENTS_TABLE', 'PAYMENTS_SECRET']) {
      expect(readers(variable)).toContain('settle-top-ups');
      expect(readers(variable).filter((name) => CHARGING.includes(name))).toEqual([]);
    }
  });

  test('a function may read exactly the secrets whose ARNs it is given', () => {
    for (const item of functions) {
      const given = Object.entries(item.environment).filter(([name]) => name.endsWith('_SECRET'));
      const readable = statementsOn(item, 'secretsmanager')
        .filter(({ Action }) => Action === 'secretsmanager:GetSecretValue')
        .flatMap(({ Resource }) => listOf(Resource));
      const sorted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).sort();
      expect(sorted(readable)).toEqual(sorted(given.map(([, value]) => value)));
      const monitoring = item.name === 'publish-events' ? ['secretsmanager:ListSecretVersionIds'] : [];
      expect([...actionsOn(item, 'secretsmanager')]).toEqual(
        given.length > 0 ? ['secretsmanager:GetSecretValue'] : monitoring,
      );
    }
  });

  test('the publisher can list the versions of the slip key, sandbox key and credentials in use, but read none', () => {
    const routed = synthesize('prod', { registries: { NIN: ['prembly'], NUBAN: ['paystack', 'prembly'] } });
    const [publisher] = functionsOf(routed.api).filter(({ name }) => name === 'publish-events');
    if (!publisher) throw new Error('There is no publisher.');
    const [statement, ...others] = statementsOn(publisher, 'secretsmanager');
    const monitored = listOf(statement?.Resource).map((arn) => JSON.stringify(arn));

    expect(others).toEqual([]);
    expect(statement?.Action).toBe('secretsmanager:ListSecretVersionIds');
    expect(monitored).toHaveLength(4);
    for (const name of ['SlipKey', 'SandboxKey', 'Registryprembly', 'Registrypaystack'])
      expect(monitored.filter((arn) => arn.includes(`Ref${name}`))).toHaveLength(1);
    const given = JSON.stringify(publisher.environment['MONITORED_SECRETS']);
    for (const arn of monitored) expect(given).toContain(arn);
  });

  test('only functions that use the pepper, the test key, the slip key or the sandbox key can read it', () => {
    expect(readers('PEPPER_SECRET')).toEqual([...CHARGING].sort());
    expect(readers('TEST_KEY_SECRET')).toEqual(['check-new-version']);
    expect(readers('SLIP_SECRET')).toEqual(['nin-slip', 'revoke-slip', 'slip-check', 'slip-details']);
    expect(readers('CARDS_SECRET')).toEqual(['settle-top-ups']);
    expect(readers('SANDBOX_SECRET')).toEqual([...CHARGING, 'sandbox-registry'].sort());
  });

  test('only functions for account numbers get the setting nubanResolve', () => {
    expect(readers('NUBAN_RESOLVE')).toEqual(['nuban-basic', 'verify-identity']);
    const [nuban] = functions.filter(({ name }) => name === 'nuban-basic');
    expect(nuban?.environment['NUBAN_RESOLVE']).toBe('off');
  });

  test('only functions that may call a provider can read its credentials', () => {
    const { functions: routed } = synthesize('prod', {
      registries: { NIN: ['prembly', 'dojah'], NUBAN: ['paystack'] },
    });
    const readersOf = (variable: string) =>
      functionsOf(routed)
        .filter(({ environment }) => variable in environment)
        .map(({ name }) => name)
        .sort();

    expect(readersOf('PREMBLY_SECRET')).toEqual(['nin-basic', 'nin-premium', 'nin-slip', 'verify-identity']);
    expect(readersOf('DOJAH_SECRET')).toEqual(readersOf('PREMBLY_SECRET'));
    expect(readersOf('PAYSTACK_SECRET')).toEqual(['nuban-basic', 'verify-identity']);
    expect(readersOf('QOREID_SECRET')).toEqual([]);
  });

  test('only functions that make look-ups can call the sandbox registry, and only through its URL', () => {
    expect(namesWhere((item) => 'SANDBOX_URL' in item.environment)).toEqual([...CHARGING].sort());
    const [sandbox] = functions.filter(({ name }) => name === 'sandbox-registry');
    const Resource = { 'Fn::GetAtt': [sandbox?.logicalId, 'Arn'] };
    for (const item of functions.filter(({ name }) => CHARGING.includes(name)))
      expect(statementsOn(item, 'lambda')).toEqual([
        STARTS_PUBLISHER,
        { Effect: 'Allow', Action: 'lambda:InvokeFunctionUrl', Resource },
        {
          Effect: 'Allow',
          Action: 'lambda:InvokeFunction',
          Resource,
          Condition: { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } },
        },
      ]);
    const callers = [...resourcesOf(api, 'AWS::Lambda::Permission').values()];
    expect(callers.filter(({ Properties }) => Properties['Principal'] === '*')).toEqual([]);
  });

  test('only functions that charge or credit can start the publisher, and no other function', () => {
    const starting = [...CHARGING, ...SETTLING].sort();
    expect(namesWhere((item) => 'EVENT_PUBLISHER' in item.environment)).toEqual(starting);
    expect(namesWhere((item) => actionsOn(item, 'lambda').size > 0)).toEqual(
      [...starting, 'check-new-version'].sort(),
    );
    for (const item of functions.filter(({ name }) => SETTLING.includes(name)))
      expect(statementsOn(item, 'lambda')).toEqual([STARTS_PUBLISHER]);
  });

  test('only the publisher and the function that charges saved cards can send events, and only to the event bus of the stage', () => {
    const senders = ['publish-events', 'settle-top-ups'];
    expect(namesWhere((item) => actionsOn(item, 'events').size > 0)).toEqual(senders);
    const [bus, ...others] = resourcesOf(api, 'AWS::Events::EventBus').keys();
    expect(others).toEqual([]);
    for (const item of functions.filter(({ name }) => senders.includes(name))) {
      expect(statementsOn(item, 'events')).toEqual([
        { Effect: 'Allow', Action: 'events:PutEvents', Resource: { 'Fn::GetAtt': [bus, 'Arn'] } },
      ]);
      expect(item.environment['EVENT_BUS']).toEqual({ Ref: bus });
    }
  });

  test('unknown routes and the API document cannot access any table', () => {
    for (const item of functions.filter(({ name }) => ['unknown-route', 'openapi'].includes(name)))
      expect([...actionsOn(item, 'dynamodb')]).toEqual([]);
  });

  test.each([
    ['slip-check', ['dynamodb:GetItem']],
    ['slip-details', ['dynamodb:GetItem', 'dynamodb:UpdateItem']],
  ])('the function %s can access only rows of slips in ApiKeys', (of, actions) => {
    const [item] = functions.filter(({ name }) => name === of);
    const statements = item ? statementsOn(item, 'dynamodb') : [];
    expect(statements.map(({ Action, Condition }) => [listOf(Action), Condition])).toEqual([
      [actions, { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SLIP#*'] } }],
    ]);
  });
});
