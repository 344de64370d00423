import { describe, expect, test } from '@jest/globals';
import { type Authorise, roleAuthoriser } from '../../infra/local/aws/policy.ts';
import { tableAccesses } from '../../infra/local/aws/table-access.ts';
import { tablesOf } from '../../infra/local/aws/tables.ts';
import { Deployment, type Template } from '../../infra/local/templates/template.ts';
import { apiKey } from '../../shared/accounts/api-key.ts';
import { organisation } from '../../shared/accounts/organisation.ts';
import { alert, alertChoice, outage } from '../../shared/alerts/alert.ts';
import { alertDay, alertedEvent, sentMail } from '../../shared/alerts/alert-table.ts';
import {
  alertDayKey,
  alertedEventKey,
  alertKey,
  alertMailKey,
  alertSettingsKey,
  apiKeyKey,
  approvalKey,
  attemptKey,
  auditKey,
  automaticTopUpKey,
  billingKey,
  chargeKey,
  closingKey,
  counterKey,
  creditKey,
  dayBalanceKey,
  deliveryKey,
  documentKey,
  endpointKey,
  idempotencyKey,
  invitationKey,
  limiterKey,
  logKey,
  lotKey,
  memberKey,
  membershipKey,
  numberLookUpKey,
  orderKey,
  organisationKey,
  outageKey,
  personKey,
  priceKey,
  profileChecksKey,
  profileKey,
  referenceKey,
  registryChangeKey,
  registryDayKey,
  sessionKey,
  shardKey,
  usageKey,
  usageStateKey,
  type WalletId,
} from '../../shared/core/keys.ts';
import { charge } from '../../shared/ledger/rows/charge.ts';
import { credit } from '../../shared/ledger/rows/credit.ts';
import { walletShard } from '../../shared/ledger/rows/wallet.ts';
import { invitation, membership, numberLookUp, profile, session } from '../../shared/members/rows.ts';
import { automaticTopUp } from '../../shared/payments/automatic/automatic-top-up.ts';
import { lot } from '../../shared/payments/lots/lot.ts';
import { billingDetails } from '../../shared/payments/prices/billing.ts';
import { dayBalanceRow, registryDayRow, usageRow, usageState } from '../../shared/usage/rows.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import { attempt, delivery } from '../../shared/webhooks/delivery.ts';
import { endpoint } from '../../shared/webhooks/endpoint.ts';
import { CONSOLE } from './console.ts';
import { MONEY } from './money.ts';
import { nameInApp, resourcesOf, synthesize } from './synthesis.ts';

/**
 * Simulates the policies of all functions to find what they may write. The test for each class of rows lists the
 * functions that may write it, so it fails if a new function has such a permission.
 */

const templates = synthesize('prod', { ...MONEY, ...CONSOLE });
const parts = ['data', 'webhooks', 'functions', 'api', 'console'] as const;
const deployment = new Deployment(
  parts.map((part) => ({
    name: `identity-prod-${part}`,
    template: templates[part].toJSON() as Template,
  })),
);
const tables = tablesOf(deployment);
const tablesByName = new Map(tables.map((table) => [table.name, table]));
const ROLES: ReadonlyMap<string, Authorise> = new Map(
  deployment.ofType('AWS::Lambda::Function').map((resource) => {
    const path = String(resource.metadata['aws:cdk:path']);
    const role = deployment.text(resource.stack, resource.properties['Role'] ?? null);
    return [path.split('/')[1] ?? '', roleAuthoriser(deployment, role)] as const;
  }),
);

type TableName = 'ApiKeys' | 'Wallets' | 'VerificationLogs' | 'AuditTrail' | 'Payments' | 'Console';
interface Key {
  readonly pk: string;
  readonly sk: string;
}
interface Write {
  readonly operation: string;
  readonly body: object;
}

const TEXT = { S: 'x' };
const itemKey = ({ pk, sk }: Key) => ({ pk: { S: pk }, sk: { S: sk } });

function tableName(part: TableName): string {
  const found = tables.find(({ name }) => name.includes(`-${part}`));
  if (!found) throw new Error(`There is no table ${part}.`);
  return found.name;
}

/** Returns every way to put a row with these attributes. */
function puts(table: TableName, key: Key, attributes: readonly string[]): Write[] {
  const Item = { ...itemKey(key), ...Object.fromEntries(attributes.map((name) => [name, TEXT])) };
  const put = { TableName: tableName(table), Item };
  return [
    { operation: 'PutItem', body: put },
    { operation: 'TransactWriteItems', body: { TransactItems: [{ Put: put }] } },
    { operation: 'BatchWriteItem', body: { RequestItems: { [put.TableName]: [{ PutRequest: { Item } }] } } },
  ];
}

/** Returns every way to change one attribute of a row. */
function updates(table: TableName, key: Key, attribute: string): Write[] {
  const common = {
    TableName: tableName(table),
    Key: itemKey(key),
    ExpressionAttributeValues: { ':value': TEXT },
  };
  const expressions = [
    { UpdateExpression: `SET ${attribute} = :value` },
    { UpdateExpression: 'SET #other = :value', ExpressionAttributeNames: { '#other': attribute } },
    { UpdateExpression: `SET ${attribute}.nested = :value` },
    { UpdateExpression: `REMOVE ${attribute}` },
    { UpdateExpression: `ADD ${attribute} :value` },
  ].map((expression) => ({ ...common, ...expression }));
  return expressions.flatMap((body) => [
    { operation: 'UpdateItem', body },
    { operation: 'TransactWriteItems', body: { TransactItems: [{ Update: body }] } },
  ]);
}

function deletions(table: TableName, key: Key): Write[] {
  const body = { TableName: tableName(table), Key: itemKey(key) };
  return [
    { operation: 'DeleteItem', body },
    { operation: 'TransactWriteItems', body: { TransactItems: [{ Delete: body }] } },
  ];
}

function mayDo(authorise: Authorise, { operation, body }: Write): boolean {
  return tableAccesses(operation, body, tablesByName).every(({ action, resource, context }) =>
    authorise(action, resource, context),
  );
}

/** Returns the functions that may make at least one of these writes. */
function writersOf(writes: readonly Write[]): string[] {
  const found = [...ROLES].filter(([, authorise]) => writes.some((write) => mayDo(authorise, write)));
  return found.map(([name]) => name).sort();
}

const ORGANISATION = 'A1B2C3D4E5';
const PERSON = '0e3f1a52-1b6c-4d0f-9a3e-5d2c7b8a9f10';
const HASH = 'a'.repeat(64);
const ULID = '01KADA3CV5Y2M2J1Q0QW5PZ7Z4';
const live: WalletId = { env: 'live', organisationId: ORGANISATION };
const ofTest: WalletId = { env: 'test', organisationId: ORGANISATION };
const entries = (schema: { readonly entries: object }) => Object.keys(schema.entries);

const CHARGING = [...SERVICE_NAMES, 'verify-identity'];
/** The functions that book the credits of a payment after Paystack has confirmed it. */
const SETTLING = ['payment-return', 'paystack-webhook', 'settle-top-ups', 'top-up'];
const STARTING = ['start-top-up', 'console-start-top-up'];
const TEST_CREDITS = 'console-take-test-credits';
const PLAYGROUND = 'console-send-test-request';
const MEMBER_CHANGES = ['console-change-member', 'console-remove-member'];
const NEW_MEMBERS = ['console-accept-invitation', 'console-create-organisation'];
const sorted = (...names: readonly string[]) => [...names].sort();

test('a transaction that adds a member may have all its keys checked together', () => {
  const TableName = tableName('Console');
  const row = (pk: string) => itemKey({ pk, sk: 'x' });
  const added = [`ORG#${ORGANISATION}`, `PERSON#${PERSON}`].map((pk) => ({
    Put: { TableName, Item: row(pk) },
  }));
  const accepted = [`ORG#${ORGANISATION}`, `INVITATION#${HASH}`].map((pk) => ({
    Update: { TableName, Key: row(pk) },
  }));
  const inviter = { ConditionCheck: { TableName, Key: row(`ORG#${ORGANISATION}`) } };
  const counted = { Update: { TableName, Key: row(`PERSON#${PERSON}`) } };
  const transaction = (...TransactItems: object[]) => ({
    operation: 'TransactWriteItems',
    body: { TransactItems },
  });
  expect(writersOf([transaction(...added, ...accepted, inviter)])).toEqual(['console-accept-invitation']);
  expect(writersOf([transaction(...added, counted)])).toEqual(sorted(...NEW_MEMBERS));
});

describe('no function can approve an organisation, or change its prices or limits:', () => {
  const key = organisationKey(ORGANISATION);
  /** The functions that may change these attributes of an existing organisation. Only operators change the others. */
  const OWN = {
    services: ['console-change-service'],
    lowBalanceCredits: ['console-change-balance-alert'],
    version: ['console-change-balance-alert', 'console-change-service'],
  };
  const CREATED = ['id', 'name', 'createdAt', 'version'];
  const attributes = entries(organisation);

  test.each(attributes)('%s is updated only by the functions that need it', (attribute) => {
    const own = (OWN as Record<string, readonly string[]>)[attribute] ?? [];
    const created = CREATED.includes(attribute) ? ['console-create-organisation'] : [];
    expect(writersOf(updates('ApiKeys', key, attribute))).toEqual(sorted(...own, ...created));
  });

  test('the attributes for approval, prices and limits are updated by no function', () => {
    expect(attributes).toEqual(expect.arrayContaining(['status', 'prices', 'rateLimit', 'walletShards']));
    for (const attribute of ['status', 'prices', 'rateLimit', 'walletShards'])
      expect(writersOf(updates('ApiKeys', key, attribute))).toEqual([]);
  });

  test('an update of two attributes needs permission for both', () => {
    const body = {
      TableName: tableName('ApiKeys'),
      Key: itemKey(key),
      UpdateExpression: 'SET services = :value, #s = :value',
      ExpressionAttributeNames: { '#s': 'status' },
      ExpressionAttributeValues: { ':value': TEXT },
    };
    const inTransaction = { operation: 'TransactWriteItems', body: { TransactItems: [{ Update: body }] } };
    expect(writersOf([{ operation: 'UpdateItem', body }, inTransaction])).toEqual([]);
  });

  test('the row of an organisation cannot be put, replaced or deleted', () => {
    expect(writersOf(puts('ApiKeys', key, attributes))).toEqual([]);
    expect(writersOf(puts('ApiKeys', key, CREATED))).toEqual([]);
    expect(writersOf(puts('ApiKeys', key, []))).toEqual([]);
    expect(writersOf(deletions('ApiKeys', key))).toEqual([]);
  });

  test('price lists are written by no function', () => {
    for (const one of [priceKey(undefined, ULID), priceKey(ORGANISATION, ULID), billingKey(ORGANISATION)]) {
      expect(writersOf(puts('Payments', one, ['price', 'version']))).toEqual([]);
      expect(writersOf(updates('Payments', one, 'price'))).toEqual([]);
      expect(writersOf(deletions('Payments', one))).toEqual([]);
    }
  });

  test('billing details are put only in a transaction, and only by their own function', () => {
    const writes = puts('Payments', billingKey(ORGANISATION), entries(billingDetails));
    expect(writersOf(writes)).toEqual(['console-update-billing']);
    expect(writersOf(writes.filter(({ operation }) => operation !== 'TransactWriteItems'))).toEqual([]);
  });
});

test('saved cards are written only in a transaction, by their own function and the one that charges them', () => {
  const writes = puts('Payments', automaticTopUpKey(ORGANISATION), entries(automaticTopUp));
  expect(writersOf(writes)).toEqual(['console-change-automatic-top-up', 'settle-top-ups']);
  expect(writersOf(writes.filter(({ operation }) => operation !== 'TransactWriteItems'))).toEqual([]);
});

describe('credits and documents are written only by functions that settle payments:', () => {
  const shard = shardKey(live, 0);

  test('live credit rows, including their owner', () => {
    expect(writersOf(puts('Wallets', creditKey(live, 'PAY-1'), entries(credit)))).toEqual(SETTLING);
    const reference = ['reference', 'organisationId'];
    expect(writersOf(puts('Wallets', referenceKey('live', 'PAY-1'), reference))).toEqual(SETTLING);
    expect(writersOf(updates('Wallets', creditKey(live, 'PAY-1'), 'amount'))).toEqual(SETTLING);
  });

  test('the total credits of a live shard, and new shards', () => {
    expect(writersOf(updates('Wallets', shard, 'credited'))).toEqual(SETTLING);
    expect(writersOf(puts('Wallets', shard, [...entries(walletShard), 'walletsKey']))).toEqual(SETTLING);
  });

  test('live lots, with what was paid for them', () => {
    expect(writersOf(puts('Payments', lotKey(live, ULID), entries(lot)))).toEqual(SETTLING);
    expect(writersOf(updates('Payments', lotKey(live, ULID), 'withdrawals'))).toEqual(['settle-top-ups']);
  });

  test('only test credits can also be added in the console', () => {
    const writers = sorted(...SETTLING, TEST_CREDITS);
    expect(writersOf(puts('Wallets', creditKey(ofTest, 'TEST-1'), entries(credit)))).toEqual(writers);
    expect(writersOf(updates('Wallets', shardKey(ofTest, 0), 'credited'))).toEqual(writers);
    expect(writersOf(puts('Payments', lotKey(ofTest, ULID), entries(lot)))).toEqual(writers);
  });

  test('the available credits of a live wallet also change with charges and sweeps', () => {
    const writers = sorted(...CHARGING, ...SETTLING, 'sweep-holds');
    expect(writersOf(updates('Wallets', shard, 'available'))).toEqual(writers);
    expect(writersOf(puts('Wallets', chargeKey(live, ULID), entries(charge)))).toEqual(writers);
  });

  test('the playground charges the test wallet, like the routes of the API', () => {
    const writers = sorted(...CHARGING, PLAYGROUND, 'sweep-holds');
    expect(writersOf(puts('Wallets', chargeKey(ofTest, ULID), entries(charge)))).toEqual(
      sorted(...writers, ...SETTLING, TEST_CREDITS),
    );
    expect(writersOf(puts('VerificationLogs', logKey(ofTest, 'tag', ULID), ['requestId']))).toEqual(writers);
  });

  test('the playground reads nothing from the live environment, and calls no registry', () => {
    const authorise = ROLES.get(PLAYGROUND);
    const reads = (table: TableName, key: Key) => {
      const partition = {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: key.pk } },
      };
      const ways = { GetItem: { Key: itemKey(key) }, Query: partition };
      return Object.entries(ways).flatMap(([operation, way]) => {
        const body = { TableName: tableName(table), ...way };
        return authorise && mayDo(authorise, { operation, body }) ? [operation] : [];
      });
    };
    expect(reads('VerificationLogs', logKey(ofTest, 'tag', ULID))).toEqual(['GetItem', 'Query']);
    expect(reads('Wallets', shardKey(live, 0))).toEqual([]);
    expect(reads('VerificationLogs', logKey(live, 'tag', ULID))).toEqual([]);
    expect(reads('Payments', lotKey(live, ULID))).toEqual([]);
    for (const action of ['lambda:InvokeFunctionUrl', 'lambda:InvokeFunction'])
      expect(authorise?.(action, '*')).toBe(false);
  });

  test('documents and closings, and orders except when they are opened', () => {
    const order = orderKey('live', 'PAY-1');
    expect(writersOf(puts('Payments', order, ['credits']))).toEqual(sorted(...SETTLING, ...STARTING));
    expect(writersOf(puts('Payments', documentKey(live, 'IDV-1'), ['number']))).toEqual(SETTLING);
    expect(writersOf(puts('Payments', counterKey('IDV-2026'), ['last']))).toEqual(SETTLING);
    expect(writersOf(updates('Payments', closingKey(live, '2026-11'), 'state'))).toEqual(['settle-top-ups']);
  });
});

describe('each class of rows is written by the functions that own it:', () => {
  test('API keys are put only by the functions that create and rotate them', () => {
    const key = apiKeyKey(ORGANISATION, HASH);
    expect(writersOf(puts('ApiKeys', key, entries(apiKey)))).toEqual([
      'console-create-key',
      'console-rotate-key',
    ]);
    expect(writersOf(updates('ApiKeys', key, 'scopes'))).toEqual(['console-update-key']);
    expect(writersOf(deletions('ApiKeys', key))).toEqual([]);
  });

  test('rate limits of API keys count only requests to the API', () => {
    const writers = writersOf(updates('ApiKeys', limiterKey(HASH), 'tatMs'));
    expect(writers.filter((name) => name.startsWith('console-'))).toEqual([]);
    expect(writers).toContain('nin-basic');
  });

  test('the history of providers is written only by look-ups, and read by the public status page', () => {
    const key = registryChangeKey(
      { provider: 'prembly', env: 'live', idType: 'NIN' },
      '2026-11-23T00:00:00.000Z',
      'open',
    );
    const lookingUp = sorted(...CHARGING, 'console-submit-organisation');
    expect(writersOf(updates('ApiKeys', key, 'became'))).toEqual(lookingUp);
    expect(writersOf(puts('ApiKeys', key, ['became']))).toEqual([]);
    expect(writersOf(deletions('ApiKeys', key))).toEqual([]);
    const authorise = ROLES.get('console-show-status');
    const mayRead = (table: TableName, one: Key) =>
      authorise !== undefined &&
      mayDo(authorise, {
        operation: 'Query',
        body: {
          TableName: tableName(table),
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: one.pk } },
        },
      });
    expect([mayRead('ApiKeys', key), mayRead('Console', registryDayKey('NIN', '2026-11-23'))]).toEqual([
      true,
      true,
    ]);
    const others = [organisationKey(ORGANISATION), apiKeyKey(ORGANISATION, HASH), limiterKey(HASH)];
    expect(others.filter((one) => mayRead('ApiKeys', one))).toEqual([]);
    const ofConsole = [memberKey(ORGANISATION, PERSON), personKey(PERSON), sessionKey(HASH)];
    expect(ofConsole.filter((one) => mayRead('Console', one))).toEqual([]);
  });

  test('log rows are written by the functions that charge, and by the sweeper', () => {
    const writes = puts('VerificationLogs', logKey(live, 'tag', ULID), ['requestId']);
    expect(writersOf(writes)).toEqual(sorted(...CHARGING, 'sweep-holds'));
    expect(writersOf(updates('VerificationLogs', logKey(live, 'tag', ULID), 'requestId'))).toEqual([]);
  });

  test('no function changes or deletes an entry in the audit trail, or writes one outside a transaction', () => {
    for (const key of [auditKey(ORGANISATION, ULID), auditKey(undefined, ULID), approvalKey(ULID)]) {
      expect(writersOf(updates('AuditTrail', key, 'actor'))).toEqual([]);
      expect(writersOf(deletions('AuditTrail', key))).toEqual([]);
      const outside = puts('AuditTrail', key, ['actor']).filter(
        ({ operation }) => operation !== 'TransactWriteItems',
      );
      expect(writersOf(outside)).toEqual([]);
    }
    for (const key of [auditKey(undefined, ULID), approvalKey(ULID)])
      expect(writersOf(puts('AuditTrail', key, ['actor']))).toEqual([]);
  });

  test('roles are granted by creating an organisation, accepting an invitation, and changing members', () => {
    for (const key of [memberKey(ORGANISATION, PERSON), membershipKey(PERSON, ORGANISATION)]) {
      expect(writersOf(updates('Console', key, 'role'))).toEqual(MEMBER_CHANGES);
      expect(writersOf(updates('Console', key, 'status'))).toEqual(MEMBER_CHANGES);
      expect(writersOf(puts('Console', key, entries(membership)))).toEqual(NEW_MEMBERS);
    }
  });

  test('sessions are put only by the sign-in, and no function changes their owner', () => {
    const key = sessionKey(HASH);
    expect(writersOf(puts('Console', key, entries(session)))).toEqual(['console-finish-sign-in']);
    for (const attribute of ['personId', 'signedInAt', 'organisationId'])
      expect(writersOf(updates('Console', key, attribute))).toEqual([]);
  });

  test('invitations are put only by their own function, and email addresses are updated only by the sign-in', () => {
    const sent = puts('Console', invitationKey(HASH), entries(invitation));
    expect(writersOf(sent)).toEqual(['console-invite-member']);
    expect(writersOf(updates('Console', invitationKey(HASH), 'role'))).toEqual([]);
    expect(writersOf(updates('Console', personKey(PERSON), 'email'))).toEqual(['console-finish-sign-in']);
  });

  test.each(['console-show-home', 'console-show-wallet'])(
    '%s reads the shards of wallets and the charges of their holds, but no credits or requests',
    (name) => {
      const authorise = ROLES.get(name);
      const mayRead = (key: Key) => {
        const body = { TableName: tableName('Wallets'), Key: itemKey(key) };
        return authorise !== undefined && mayDo(authorise, { operation: 'GetItem', body });
      };
      for (const wallet of [live, ofTest]) {
        expect([shardKey(wallet, 0), chargeKey(wallet, ULID)].map(mayRead)).toEqual([true, true]);
        const others = [creditKey(wallet, 'PAY-1'), idempotencyKey(wallet, HASH)];
        expect(others.filter(mayRead)).toEqual([]);
      }
    },
  );

  test('profiles are put only by the functions that save and submit them', () => {
    expect(writersOf(puts('Console', profileKey(ORGANISATION), entries(profile)))).toEqual([
      'console-submit-organisation',
      'console-update-organisation',
    ]);
  });

  test('look-ups of numbers are written, and counted for people, only by the function that submits profiles', () => {
    const key = numberLookUpKey(ORGANISATION, HASH, 'req_0123456789ab');
    const submits = ['console-submit-organisation'];
    expect(writersOf(puts('Console', key, entries(numberLookUp)))).toEqual(submits);
    expect(writersOf(updates('Console', key, 'result'))).toEqual(submits);
    for (const person of [PERSON, undefined])
      expect(writersOf(updates('Console', profileChecksKey(person, '2026-11-23'), 'used'))).toEqual(submits);
  });

  test('alerts are written only by the function that sends them, which cannot change who receives which alerts', () => {
    const event = `2026-11-23T12:00:00.000Z#${HASH}`;
    const rows: readonly (readonly [Key, { readonly entries: object }])[] = [
      [alertKey(ORGANISATION, event), alert],
      [alertedEventKey(ORGANISATION, HASH), alertedEvent],
      [alertMailKey(ORGANISATION, HASH, PERSON), sentMail],
      [alertDayKey(ORGANISATION, '2026-11-23', 'Balance Low'), alertDay],
      [outageKey(ORGANISATION), outage],
    ];
    for (const [key, schema] of rows) {
      expect(writersOf(puts('Console', key, entries(schema)))).toEqual(['console-send-alerts']);
      for (const attribute of entries(schema))
        expect(writersOf(updates('Console', key, attribute))).toEqual([]);
    }
    const choice = puts('Console', alertSettingsKey(ORGANISATION, PERSON), entries(alertChoice));
    expect(writersOf(choice)).toEqual(['console-change-alerts']);
    const outside = choice.filter(({ operation }) => operation !== 'TransactWriteItems');
    expect(writersOf(outside)).toEqual([]);
  });

  test('each attribute of a webhook endpoint is updated only by the functions that need it', () => {
    const key = endpointKey(live, 'hook_1');
    const writers: Readonly<Record<string, readonly string[]>> = {
      url: ['console-update-webhook'],
      eventTypes: ['console-update-webhook'],
      secret: ['console-rotate-webhook-secret'],
      previousSecret: ['console-rotate-webhook-secret'],
      expiresAt: ['console-delete-webhook'],
      state: ['console-delete-webhook', 'console-update-webhook', 'deliver-webhook'],
      disabledBecause: ['console-update-webhook', 'deliver-webhook'],
      leaseA: ['deliver-webhook'],
      leaseB: ['deliver-webhook'],
    };
    for (const attribute of entries(endpoint).filter((name) => name !== 'version'))
      expect([attribute, writersOf(updates('Console', key, attribute))]).toEqual([
        attribute,
        writers[attribute] ?? [],
      ]);
    const added = puts('Console', key, ['id', 'organisationId', 'env', 'url', 'secret', 'version']);
    expect(writersOf(added)).toEqual(['console-add-webhook']);
    expect(writersOf(added.filter(({ operation }) => operation !== 'TransactWriteItems'))).toEqual([]);
    expect(writersOf(puts('Console', key, entries(endpoint)))).toEqual([]);
  });

  test('deliveries are started by events and members, and only the function that sends them records attempts', () => {
    const key = deliveryKey(live, 'hook_1', ULID);
    expect(writersOf(puts('Console', key, entries(delivery)))).toEqual([
      'console-replay-deliveries',
      'console-resend-delivery',
      'console-test-webhook',
      'start-webhooks',
    ]);
    for (const attribute of ['state', 'attempts', 'reason'])
      expect(writersOf(updates('Console', key, attribute))).toEqual(['deliver-webhook']);
    for (const attribute of ['body', 'eventId', 'organisationId'])
      expect(writersOf(updates('Console', key, attribute))).toEqual([]);
    const attemptRow = attemptKey(live, 'hook_1', ULID, 1);
    for (const attribute of entries(attempt))
      expect(writersOf(updates('Console', attemptRow, attribute))).toEqual(['deliver-webhook']);
  });

  test('usage, daily balances and daily registry figures are put only by the function that counts usage', () => {
    const day = usageKey(live, '2026-11-01', 'nin-basic', 'backend');
    const rows = [
      [day, usageRow],
      [dayBalanceKey(live, '2026-11-01'), dayBalanceRow],
      [usageStateKey(live), usageState],
      [registryDayKey('NIN', '2026-11-01'), registryDayRow],
    ] as const;
    for (const [key, schema] of rows)
      expect(writersOf(puts('Console', key, entries(schema)))).toEqual(['roll-up-usage']);
  });

  test('no function of the API can access people in the Console table, and no function can delete a row', () => {
    const operations = ['GetItem', 'Query', 'Scan', 'BatchGetItem', 'PutItem', 'UpdateItem'];
    const { arn } = tablesByName.get(tableName('Console')) ?? { arn: '' };
    const inApi = [templates.functions, templates.api].flatMap((template) =>
      [...resourcesOf(template, 'AWS::Lambda::Function').values()].map(nameInApp),
    );
    // The reconciliation reads usage.
    for (const name of inApi.filter((one) => one !== 'reconcile-wallets')) {
      const authorise = ROLES.get(name);
      expect(authorise).toBeDefined();
      for (const operation of operations) expect(authorise?.(`dynamodb:${operation}`, arn)).toBe(false);
    }
    const people = [
      personKey(PERSON),
      memberKey(ORGANISATION, PERSON),
      profileKey(ORGANISATION),
      sessionKey(HASH),
    ];
    const readersOf = (key: Key) => {
      const body = { TableName: tableName('Console'), Key: itemKey(key) };
      return inApi.filter((name) => mayDo(ROLES.get(name) ?? (() => false), { operation: 'GetItem', body }));
    };
    for (const key of people) expect(readersOf(key)).toEqual([]);
    expect(readersOf(usageStateKey(live))).toEqual(['reconcile-wallets']);
    for (const { arn: table } of tables)
      for (const [name, authorise] of ROLES)
        expect([name, authorise('dynamodb:DeleteItem', table)]).toEqual([name, false]);
  });
});

test('the simulation covers every function, and allows what a function needs', () => {
  const names = parts.flatMap((part) =>
    [...resourcesOf(templates[part], 'AWS::Lambda::Function').values()].map(nameInApp),
  );
  expect([...ROLES.keys()].sort()).toEqual(names.sort());
  expect(names.length).toBeGreaterThan(50);
  const own = updates('ApiKeys', organisationKey(ORGANISATION), 'services');
  const inTransaction = own.filter(({ operation }) => operation === 'TransactWriteItems');
  expect(writersOf(inTransaction)).toEqual(['console-change-service']);
});
