import { describe, expect, test } from '@jest/globals';
import { tablesOf } from '../../infra/local/aws/tables.ts';
import type { FunctionDefinition } from '../../infra/local/functions/definitions.ts';
import type { InvocationResult } from '../../infra/local/functions/function-instance.ts';
import { startStreamMapping, streamMappingsOf } from '../../infra/local/functions/stream-mappings.ts';
import { Deployment, type Template } from '../../infra/local/templates/template.ts';

const FUNCTION = 'arn:aws:lambda:eu-west-1:000000000000:function:copier';
const STREAM = 'arn:aws:dynamodb:eu-west-1:000000000000:table/trail/stream/local';
const MAPPING = { streamArn: STREAM, functionArn: FUNCTION, batchSize: 2 };

/** Returns the mappings of a template with a table, and a function whose role allows these actions. */
function mappingsWith(actions: readonly string[], changes: object = {}) {
  const keys = [{ AttributeName: 'pk', KeyType: 'HASH' }];
  const statements = [
    { Effect: 'Allow', Action: actions, Resource: { 'Fn::GetAtt': ['Trail', 'StreamArn'] } },
    { Effect: 'Allow', Action: 'dynamodb:ListStreams', Resource: '*' },
  ];
  const template = {
    Resources: {
      Trail: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: {
          TableName: 'trail',
          KeySchema: keys,
          AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
          StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
          ...changes,
        },
      },
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: { RoleName: 'role', Policies: [{ PolicyDocument: { Statement: statements } }] },
      },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: { 'Fn::GetAtt': ['Trail', 'StreamArn'] },
          FunctionName: 'copier',
          BatchSize: 2,
          StartingPosition: 'TRIM_HORIZON',
        },
      },
    },
  } as unknown as Template;
  const deployment = new Deployment([{ name: 'app', template }]);
  const definition = {
    name: 'copier',
    physicalName: 'copier',
    arn: FUNCTION,
    roleArn: 'arn:aws:iam::000000000000:role/role',
  } as FunctionDefinition;
  return streamMappingsOf(deployment, [definition], tablesOf(deployment));
}

const NEEDED = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];

describe('the mapping of a stream in a template', () => {
  test('is found with its table and function', () => {
    expect(mappingsWith(NEEDED)).toEqual([MAPPING]);
  });

  test.each(NEEDED)('needs a role that allows %s', (action) => {
    expect(() => mappingsWith(NEEDED.filter((one) => one !== action))).toThrow(`does not allow ${action} on`);
  });

  test('needs a table with a stream', () => {
    expect(() => mappingsWith(NEEDED, { StreamSpecification: undefined })).toThrow('contain no stream');
  });
});

/** Starts a mapping for a stream with these records. Each run of the function has the next of the results. */
async function runsOf(ids: readonly string[], results: readonly InvocationResult[]) {
  const left = [...ids];
  const runs: string[][] = [];
  const errors: string[] = [];
  const rest = [...results];
  const { promise: isIdle, resolve: idle } = Promise.withResolvers<void>();
  const stop = startStreamMapping({
    mapping: MAPPING,
    stream: {
      async read(limit) {
        if (left.length === 0) {
          idle();
          return undefined;
        }
        const records = left
          .slice(0, limit)
          .map((eventID) => ({ eventID, eventName: 'INSERT', dynamodb: {} }));
        return { records, complete: () => left.splice(0, records.length) };
      },
    },
    async invoke(event) {
      const { Records } = event as { Records: { eventID: string; eventSourceARN: string }[] };
      expect(Records[0]?.eventSourceARN).toBe(STREAM);
      runs.push(Records.map(({ eventID }) => eventID));
      return rest.shift() ?? { kind: 'returned', payload: null, body: undefined };
    },
    onError: ({ message }) => errors.push(message),
  });
  await isIdle;
  stop();
  return { runs, errors };
}

test('a mapping runs its function for one batch after another, and repeats a batch for which it fails', async () => {
  const threw: InvocationResult = { kind: 'failed', reason: 'threw' };
  expect(await runsOf(['1', '2', '3'], [threw])).toEqual({
    runs: [['1', '2'], ['1', '2'], ['3']],
    errors: [],
  });
});
