import { describe, expect, test } from '@jest/globals';
import { authoriser } from '../../infra/local/aws/policy.ts';
import { tableAccesses } from '../../infra/local/aws/table-access.ts';
import type { Table } from '../../infra/local/aws/tables.ts';

const TABLE: Table = {
  name: 'keys',
  arn: 'arn:aws:dynamodb:eu-west-1:000000000000:table/keys',
  definition: {
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byColour',
        KeySchema: [{ AttributeName: 'colour', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  },
};
const TABLES = new Map([[TABLE.name, TABLE]]);
const leading = (operator: string, ...values: string[]) => ({
  [operator]: { 'dynamodb:LeadingKeys': values },
});

/** The policies of an API function as the CDK app generates them, and one explicit denial. */
const POLICY = {
  Statement: [
    { Effect: 'Allow', Action: ['dynamodb:GetItem', 'dynamodb:PutItem'], Resource: TABLE.arn },
    {
      Effect: 'Allow',
      Action: 'dynamodb:UpdateItem',
      Resource: TABLE.arn,
      Condition: leading('ForAllValues:StringLike', 'RATE#*', 'REGISTRY#*'),
    },
    { Effect: 'Allow', Action: 'dynamodb:Query', Resource: `${TABLE.arn}/index/byColour` },
    { Effect: 'Allow', Action: 'dynamodb:BatchGetItem', Resource: [TABLE.arn] },
    {
      Effect: 'Deny',
      Action: 'dynamodb:PutItem',
      Resource: '*',
      Condition: leading('ForAnyValue:StringEquals', 'ORG#sealed'),
    },
  ],
};

function isAllowed(operation: string, body: object): boolean {
  const authorise = authoriser([POLICY]);
  const accesses = tableAccesses(operation, { TableName: 'keys', ...body }, TABLES);
  return accesses.every(({ action, resource, context }) => authorise(action, resource, context));
}

const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'x' } });

describe('the policies of a role decide whether a request is allowed', () => {
  test.each<[string, boolean, string, object]>([
    ['an action that a statement names', true, 'GetItem', { Key: key('ORG#a') }],
    ['an action that no statement names', false, 'DeleteItem', { Key: key('ORG#a') }],
    ['a scan that no statement names', false, 'Scan', {}],
    ['an update of a leading key that matches the condition', true, 'UpdateItem', { Key: key('RATE#a') }],
    [
      'an update of a leading key that does not match the condition',
      false,
      'UpdateItem',
      { Key: key('ORG#a') },
    ],
    ['a query of an index', true, 'Query', { IndexName: 'byColour' }],
    ['a query of the table itself', false, 'Query', { KeyConditionExpression: 'pk = :p' }],
    ['an action that a statement denies explicitly', false, 'PutItem', { Item: key('ORG#sealed') }],
    ['the same action if the condition of the denial is not met', true, 'PutItem', { Item: key('ORG#open') }],
    [
      'a batch read of a permitted table',
      true,
      'BatchGetItem',
      { RequestItems: { keys: { Keys: [key('ORG#a')] } } },
    ],
    [
      'a batch write that no statement names',
      false,
      'BatchWriteItem',
      { RequestItems: { keys: [{ PutRequest: { Item: key('a') } }] } },
    ],
    ['a table that is not in the templates', false, 'GetItem', { TableName: 'others', Key: key('ORG#a') }],
    [
      'a table that the request names by its ARN',
      true,
      'GetItem',
      { TableName: TABLE.arn, Key: key('ORG#a') },
    ],
  ])('%s is allowed: %s', (_case, expected, operation, body) => {
    expect(isAllowed(operation, body)).toBe(expected);
  });

  test('each item of a transaction needs its own permission', () => {
    const put = (pk: string) => ({ Put: { TableName: 'keys', Item: key(pk) } });
    const update = (pk: string) => ({ Update: { TableName: 'keys', Key: key(pk) } });
    const mayWrite = (...TransactItems: object[]) => isAllowed('TransactWriteItems', { TransactItems });
    expect(mayWrite(put('RATE#b'), update('RATE#a'), update('REGISTRY#a'))).toBe(true);
    expect(mayWrite(put('RATE#b'), update('ORG#a'))).toBe(false);
    // IAM may evaluate the keys of all items together.
    expect(mayWrite(put('ORG#a'), update('RATE#a'))).toBe(false);
  });

  test('a condition check has no enclosing operation, because IAM may not know it', () => {
    const check = { ConditionCheck: { TableName: 'keys', Key: key('ORG#a') } };
    const [access] = tableAccesses('TransactWriteItems', { TransactItems: [check] }, TABLES);
    expect(access).toEqual({
      action: 'dynamodb:ConditionCheckItem',
      resource: TABLE.arn,
      context: { 'dynamodb:LeadingKeys': ['ORG#a'], 'dynamodb:Attributes': ['pk', 'sk'] },
    });
  });

  test('the leading key of a query is read from its key condition', () => {
    const query = (expression: string) =>
      tableAccesses(
        'Query',
        {
          TableName: 'keys',
          KeyConditionExpression: expression,
          ExpressionAttributeNames: { '#p': 'pk' },
          ExpressionAttributeValues: { ':p': { S: 'ORG#a' } },
        },
        TABLES,
      )[0]?.context['dynamodb:LeadingKeys'];
    expect(query('#p = :p AND begins_with(sk, :s)')).toEqual(['ORG#a']);
    expect(query('pk = :p')).toEqual(['ORG#a']);
    expect(query('sk = :p')).toEqual(['']);
  });

  test('access to a table with a customer-managed key also needs access to the key, through DynamoDB', () => {
    const keyArn = 'arn:aws:kms:eu-west-1:000000000000:key/made-up';
    const protectedTables = new Map([[TABLE.name, { ...TABLE, keyArn }]]);
    const isAllowedVia = (...services: string[]) => {
      const decrypt = {
        Effect: 'Allow',
        Action: 'kms:Decrypt',
        Resource: keyArn,
        Condition: { StringEquals: { 'kms:ViaService': services } },
      };
      const authorise = authoriser([{ Statement: [...POLICY.Statement, decrypt] }]);
      const get = { TableName: 'keys', Key: key('ORG#a') };
      const accesses = [
        tableAccesses('GetItem', get, protectedTables),
        tableAccesses('TransactGetItems', { TransactItems: [{ Get: get }] }, protectedTables),
      ].flat();
      return accesses.every(({ action, resource, context }) => authorise(action, resource, context));
    };

    expect(isAllowedVia('dynamodb.eu-west-1.amazonaws.com')).toBe(true);
    expect(isAllowedVia('secretsmanager.eu-west-1.amazonaws.com')).toBe(false);
    expect(isAllowed('GetItem', { Key: key('ORG#a') })).toBe(true);
  });

  test('an action that is allowed only in a transaction is denied outside one', () => {
    const condition = {
      'ForAnyValue:StringEquals': { 'dynamodb:EnclosingOperation': ['TransactWriteItems'] },
    };
    const Statement = [
      { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: TABLE.arn, Condition: condition },
    ];
    const authorise = authoriser([{ Statement }]);
    const put = { TableName: 'keys', Item: key('ORG#a') };
    const isPutAllowed = (operation: string, body: object) =>
      tableAccesses(operation, body, TABLES).every(({ action, resource, context }) =>
        authorise(action, resource, context),
      );

    expect(isPutAllowed('TransactWriteItems', { TransactItems: [{ Put: put }] })).toBe(true);
    expect(isPutAllowed('PutItem', put)).toBe(false);
  });

  describe('a permission that is limited to certain attributes', () => {
    /**
     * The policy of a function that may switch services on and off, and change nothing else in the organisation's row.
     */
    const condition = {
      ...leading('ForAllValues:StringLike', 'ORG#*'),
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', 'services', 'version'] },
    };
    const Statement = [
      {
        Effect: 'Allow',
        Action: ['dynamodb:UpdateItem', 'dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:BatchGetItem'],
        Resource: TABLE.arn,
        Condition: condition,
      },
    ];
    const authorise = authoriser([{ Statement }]);
    const isPermitted = (operation: string, body: object) =>
      tableAccesses(operation, { TableName: 'keys', ...body }, TABLES).every(
        ({ action, resource, context }) => authorise(action, resource, context),
      );
    const Key = key('ORG#a');
    const update = {
      Key,
      UpdateExpression: 'SET services.#service = :on, version = version + :one REMOVE services.old[2]',
      ConditionExpression: 'attribute_exists(pk) AND version = :version',
      ExpressionAttributeNames: { '#service': 'status' },
    };

    test.each<[string, boolean, object]>([
      ['these attributes, also nested ones', true, update],
      ['another attribute', false, { ...update, UpdateExpression: 'SET status = :approved' }],
      [
        'another attribute after a permitted one',
        false,
        { ...update, UpdateExpression: 'SET version = :v, prices.nin = :p' },
      ],
      [
        'another attribute behind a placeholder',
        false,
        { ...update, UpdateExpression: 'SET #s.x = :v', ExpressionAttributeNames: { '#s': 'status' } },
      ],
      [
        'a permitted attribute with the value of another',
        false,
        { ...update, UpdateExpression: 'SET services = if_not_exists(prices, :v)' },
      ],
      ['another attribute with REMOVE', false, { ...update, UpdateExpression: 'remove rateLimit' }],
      ['another attribute with ADD', false, { ...update, UpdateExpression: 'ADD credits :v' }],
      ['a condition on another attribute', false, { ...update, ConditionExpression: 'status IN (:a, :b)' }],
      [
        'a condition on the size of another attribute',
        false,
        { ...update, ConditionExpression: 'NOT size(prices) BETWEEN :a AND :b' },
      ],
      ['another attribute in the older form', false, { Key, AttributeUpdates: { status: {} } }],
      [
        'a condition on another attribute in the older form',
        false,
        { Key, AttributeUpdates: { version: {} }, Expected: { status: {} } },
      ],
      [
        'these attributes in the older form',
        true,
        { Key, AttributeUpdates: { version: {} }, Expected: { version: {} } },
      ],
    ])('updates %s: %s', (_what, expected, body) => {
      expect(isPermitted('UpdateItem', body)).toBe(expected);
      const TransactItems = [{ Update: { TableName: 'keys', ...body } }];
      expect(isPermitted('TransactWriteItems', { TransactItems })).toBe(expected);
    });

    test.each<[string, boolean, object]>([
      ['only these attributes', true, { ...Key, services: { M: {} } }],
      ['another attribute', false, { ...Key, services: { M: {} }, status: { S: 'APPROVED' } }],
    ])('puts an item with %s: %s', (_what, expected, Item) => {
      expect(isPermitted('PutItem', { Item })).toBe(expected);
      const TransactItems = [{ Put: { TableName: 'keys', Item } }];
      expect(isPermitted('TransactWriteItems', { TransactItems })).toBe(expected);
    });

    test.each<[string, boolean, object]>([
      [
        'these attributes',
        true,
        { ProjectionExpression: 'pk, services.nin, #v', ExpressionAttributeNames: { '#v': 'version' } },
      ],
      ['another attribute', false, { ProjectionExpression: 'services, status' }],
      ['another attribute in the older form', false, { AttributesToGet: ['version', 'status'] }],
    ])('reads %s: %s', (_what, expected, projection) => {
      expect(isPermitted('GetItem', { Key, ...projection })).toBe(expected);
      expect(isPermitted('BatchGetItem', { RequestItems: { keys: { Keys: [Key], ...projection } } })).toBe(
        expected,
      );
    });

    test('the key attributes are checked too, because a policy must name them', () => {
      expect(
        tableAccesses('UpdateItem', { TableName: 'keys', Key }, TABLES)[0]?.context['dynamodb:Attributes'],
      ).toEqual(['pk', 'sk']);
    });

    test('an update of another row is denied, whatever it changes', () => {
      expect(isPermitted('UpdateItem', { ...update, Key: key('KEYS#a') })).toBe(false);
    });
  });

  test('a condition that is not supported throws an error', () => {
    const Condition = { StringEquals: { 'aws:SourceVpc': 'vpc-1' } };
    const Statement = [{ Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: '*', Condition }];
    expect(() => authoriser([{ Statement }])).toThrow('aws:SourceVpc');
  });

  test('* matches any string, ? matches one character, and actions ignore case', () => {
    const authorise = authoriser([
      { Statement: [{ Effect: 'Allow', Action: 'DynamoDB:Get*', Resource: 'arn:?:x/*' }] },
    ]);
    expect(authorise('dynamodb:GetItem', 'arn:a:x/y/z')).toBe(true);
    expect(authorise('dynamodb:PutItem', 'arn:a:x/y/z')).toBe(false);
    expect(authorise('dynamodb:GetItem', 'arn:ab:x/y')).toBe(false);
  });
});
