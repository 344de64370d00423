import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OperatorApi } from '../../clients/operator/operator-api.ts';
import { signedFetch } from '../../clients/operator/signed-fetch.ts';
import type { TransactItem } from '../../shared/audit/audit-table.ts';
import { approvalRequestKey, auditKey, shardKey } from '../../shared/core/keys.ts';
import {
  ACTION_NAMES,
  type ActionName,
  actionPath,
  approvalPath,
  OPERATOR_ACTIONS,
  OPERATOR_ROLES,
  type OperatorRole,
  REQUESTED_ACTIONS,
} from '../../shared/operators/actions.ts';
import { type StageOnEndpoint, startStageOnEndpoint } from './stage-on-endpoint.ts';

/** What a person can do with the credentials of their role and a program of their own. */

let stage: StageOnEndpoint;
let org: string;
beforeAll(async () => {
  stage = await startStageOnEndpoint();
  ({ id: org } = await stage.operator.createOrganisation('Kainji Pay'));
});
afterAll(() => stage?.close());

function clientOf(role: OperatorRole, person = 'ada'): DynamoDBDocumentClient {
  const found = stage.environmentOf(role, person);
  return DynamoDBDocumentClient.from(
    new DynamoDBClient({
      region: found['AWS_REGION'] ?? '',
      endpoint: found['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
      credentials: {
        accessKeyId: found['AWS_ACCESS_KEY_ID'] ?? '',
        secretAccessKey: found['AWS_SECRET_ACCESS_KEY'] ?? '',
        sessionToken: found['AWS_SESSION_TOKEN'] ?? '',
      },
    }),
  );
}

const apiOf = (role: OperatorRole, person?: string) =>
  new OperatorApi(stage.operatorsUrl, clientOf(role, person).config);

/** Sends an action with an empty body, and returns the status: 403 without permission, 400 with it. */
async function statusOf(role: OperatorRole, path: string, type = 'application/json'): Promise<number> {
  const { status } = await signedFetch(
    {
      method: 'POST',
      url: new URL(stage.operatorsUrl + path),
      headers: { 'content-type': type },
      body: '{}',
    },
    clientOf(role).config,
  );
  return status;
}

describe.each(OPERATOR_ROLES)('the role %s', (role) => {
  const entry = (id: string) => ({
    ...auditKey(org, id),
    id,
    at: '2026-11-29T00:00:00.000Z',
    actor: 'arn:aws:sts::000000000000:assumed-role/identity-prod-finance/bola',
    action: 'wallet correct',
    commandId: id,
    organisationId: org,
    target: 'request',
  });
  const trail = (): string => stage.deployment.tables.auditTrail;
  const attacks: Readonly<Record<string, () => TransactItem[]>> = {
    "stores a request in another person's name with its row in the trail": () => [
      {
        Put: {
          TableName: stage.deployment.tables.approvals,
          Item: { ...approvalRequestKey('1'), id: '1', requestedBy: 'bola', action: 'wallet correct' },
        },
      },
      { Put: { TableName: trail(), Item: entry('1') } },
    ],
    'adds a row to the trail': () => [{ Put: { TableName: trail(), Item: entry('2') } }],
    'gives a row of the trail a time of expiry': () => [
      { Put: { TableName: trail(), Item: { ...entry('3'), expiresAt: 1 } } },
    ],
    'changes the credits of a wallet': () => [
      {
        Update: {
          TableName: stage.deployment.tables.wallets,
          Key: shardKey({ env: 'live', organisationId: org }, 0),
          UpdateExpression: 'SET available = :all',
          ExpressionAttributeValues: { ':all': 1_000_000 },
        },
      },
    ],
  };

  test.each(Object.keys(attacks))('cannot write a table: %s', async (attack) => {
    const TransactItems = attacks[attack]?.() ?? [];
    const sent = clientOf(role).send(new TransactWriteCommand({ TransactItems }));
    await expect(sent).rejects.toThrow(/is not authorized to perform/);
  });

  test('can call only its own actions, and approve only what it may request', async () => {
    const allows = (action: ActionName) => OPERATOR_ACTIONS[action].some((one) => one === role);
    const actions = ACTION_NAMES.filter((action) => action !== 'approve');
    const paths = [
      ...actions.map((action) => [actionPath(action), allows(action)] as const),
      ...REQUESTED_ACTIONS.map((action) => [approvalPath(action), allows(action)] as const),
    ];
    for (const [path, isAllowed] of paths)
      expect([path, await statusOf(role, path)]).toEqual([path, isAllowed ? 400 : 403]);
  });
});

describe('a second person', () => {
  const correction = () =>
    ({
      organisation: org,
      env: 'live',
      credits: 50_000,
      reference: 'FORGED-1',
      reason: 'because',
    }) as const;

  test('is another principal: one person cannot request and approve, in any of their roles', async () => {
    const asked = await apiOf('finance').change('wallet correct', correction());
    expect(asked).toMatchObject({ kind: 'requested' });
    const { requested } = asked as Extract<typeof asked, { kind: 'requested' }>;
    const approve = (role: OperatorRole, person: string) =>
      apiOf(role, person).change(
        'approve',
        { request: requested.id },
        undefined,
        approvalPath('wallet correct'),
      );
    await expect(approve('finance', 'ada')).rejects.toThrow('You requested this change');
    await expect(approve('finance', 'ADA')).rejects.toThrow('You requested this change');
    await expect(approve('privacy', 'bola')).rejects.toThrow('is not authorized to perform');
    expect((await stage.operator.balance({ env: 'live', organisationId: org })).available).toBe(0);
    expect(await approve('finance', 'bola')).toMatchObject({
      result: { approvedBy: expect.stringMatching(/identity-prod-finance\/bola$/) },
    });
    expect((await stage.operator.balance({ env: 'live', organisationId: org })).available).toBe(50_000);
  });

  test('cannot be named in a request', async () => {
    const forged = { ...correction(), reference: 'FORGED-2', requestedBy: 'bola' };
    await expect(apiOf('finance').change('wallet correct', forged)).rejects.toThrow(
      'Unknown field "requestedBy".',
    );
  });

  test('cannot approve a request through the path of another action', async () => {
    const input = { ...correction(), reference: 'FORGED-3' };
    const asked = await apiOf('finance').change('wallet correct', input);
    const { requested } = asked as Extract<typeof asked, { kind: 'requested' }>;
    const other = apiOf('operator', 'bola').change(
      'approve',
      { request: requested.id },
      undefined,
      approvalPath('key create'),
    );
    await expect(other).rejects.toThrow('is for `wallet correct`. Nothing was changed.');
  });
});

describe("a request of a person's own program", () => {
  const key = { organisation: '', env: 'test', label: 'backend' } as const;

  test.each([
    '2026-11-30',
    '2026-11-30T12:00:00Z',
    '2027-11-30T12:00:00.000+01:00',
    '2027-02-31T12:00:00.000Z',
  ])('is rejected with a time in another format: %s', async (expires) => {
    const change = apiOf('operator').change('key create', { ...key, organisation: org, expires });
    await expect(change).rejects.toThrow('Use a time such as 2026-11-30T12:00:00.000Z.');
  });

  test('is rejected with an expiry in the past', async () => {
    const past = '2020-01-01T00:00:00.000Z';
    const created = apiOf('operator').change('key create', { ...key, organisation: org, expires: past });
    await expect(created).rejects.toThrow('The expiry must be in the future.');
    const credits = { organisation: org, env: 'live', credits: 5, reference: 'GIFT-1', reason: '' } as const;
    const added = apiOf('finance').change('wallet top-up', { ...credits, expiresAt: past });
    await expect(added).rejects.toThrow('The expiry must be in the future.');
  });

  test('is answered with 415 if it is not JSON', async () => {
    expect(await statusOf('operator', actionPath('key create'), 'text/plain')).toBe(415);
  });
});
