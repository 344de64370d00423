import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, test } from '@jest/globals';
import { startAwsEndpoint } from '../../infra/local/aws/aws-endpoint.ts';
import { authoriser } from '../../infra/local/aws/policy.ts';
import { Principals } from '../../infra/local/aws/principals.ts';
import { Queue, type QueueSettings } from '../../infra/local/aws/queue.ts';
import { Secrets } from '../../infra/local/aws/secrets.ts';
import { queuesOf } from '../../infra/local/aws/sqs.ts';
import { Deployment, type Template } from '../../infra/local/templates/template.ts';
import { DAY_MS, HOUR_MS } from '../../shared/core/clock.ts';

const SETTINGS: QueueSettings = {
  name: 'jobs',
  arn: 'arn:aws:sqs:eu-west-1:000000000000:jobs',
  visibilityTimeoutMs: 30_000,
  retentionMs: HOUR_MS,
  delayMs: 0,
};

/** Returns a queue whose clock the test controls. */
function queueAt(settings: Partial<QueueSettings> = {}, deadLetters?: Queue) {
  const clock = { nowMs: 1_000_000 };
  const queue = new Queue({ ...SETTINGS, ...settings }, deadLetters, () => clock.nowMs);
  const bodies = (most = 10) => queue.receive(most).map(({ body }) => body);
  return { clock, queue, bodies };
}

describe('a queue', () => {
  test('hides only messages in flight, for at most 12 hours after they were received', () => {
    const { clock, queue } = queueAt({ retentionMs: 14 * DAY_MS });
    queue.send('one');
    const [received] = queue.receive(1);
    const handle = received?.receiptHandle ?? '';
    clock.nowMs += 10_000;
    expect(queue.changeVisibility(handle, 12 * HOUR_MS)).toBe('too-long');
    expect(queue.changeVisibility(handle, 12 * HOUR_MS - 10_000)).toBe('changed');
    clock.nowMs += 12 * HOUR_MS;
    expect(queue.changeVisibility(handle, 1000)).toBe('not-in-flight');
    expect(queue.changeVisibility('unknown', 1000)).toBe('not-in-flight');
    expect(queue.receive(1)).toHaveLength(1);
  });

  test('deletes a message for its last receiver only', () => {
    const { clock, queue } = queueAt();
    queue.send('one');
    const [first] = queue.receive(1);
    clock.nowMs += 30_000;
    const [second] = queue.receive(1);
    expect(queue.delete(first?.receiptHandle ?? '')).toBe(true);
    expect(queue.counts().inFlight).toBe(1);
    expect(queue.delete(second?.receiptHandle ?? '')).toBe(true);
    expect(queue.delete('not a handle')).toBe(false);
    clock.nowMs += DAY_MS;
    expect(queue.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    expect(queue.receive(1)).toEqual([]);
  });

  test('delivers first the messages of groups with few messages in flight, and blocks no group', () => {
    const { queue, bodies } = queueAt();
    for (let count = 0; count < 20; count += 1) queue.send('busy', { group: 'busy' });
    expect(bodies(5)).toEqual(Array(5).fill('busy'));
    queue.send('quiet', { group: 'quiet' });
    expect(bodies(3)).toEqual(['quiet', 'busy', 'busy']);
    expect(bodies(10)).toHaveLength(10);
  });
});

const template = (Resources: object): Deployment =>
  new Deployment([{ name: 'app', template: { Resources } as unknown as Template }]);

test('the queues have the settings in the templates, and a FIFO queue is rejected', () => {
  const Dead = {
    Type: 'AWS::SQS::Queue',
    Properties: { QueueName: 'dead', MessageRetentionPeriod: 1_209_600 },
  };
  const RedrivePolicy = { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 5 };
  const Jobs = { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 168, RedrivePolicy } };
  const [jobs, dead] = queuesOf(template({ Jobs, Dead }));
  expect(jobs?.settings).toEqual({
    name: 'app-Jobs',
    arn: 'arn:aws:sqs:eu-west-1:000000000000:app-Jobs',
    visibilityTimeoutMs: 168_000,
    retentionMs: 345_600_000,
    delayMs: 0,
    redrive: { arn: 'arn:aws:sqs:eu-west-1:000000000000:dead', maxReceives: 5 },
  });
  expect(dead?.settings).toMatchObject({ name: 'dead', retentionMs: 14 * DAY_MS, redrive: undefined });
  const fifo = { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } };
  expect(() => queuesOf(template({ fifo }))).toThrow();
});

const QueueUrl = 'https://sqs.eu-west-1.amazonaws.com/000000000000/jobs';
const POLICY = (...actions: string[]) =>
  authoriser([{ Statement: actions.map((Action) => ({ Effect: 'Allow', Action, Resource: SETTINGS.arn })) }]);

/**
 * Runs `use` against the local endpoint with one queue. `clientWith` returns an SDK client with the given permissions.
 */
async function withEndpoint(
  use: (clientWith: (...actions: string[]) => SQSClient, denied: string[]) => Promise<void>,
): Promise<void> {
  const principals = new Principals();
  const denied: string[] = [];
  const endpoint = await startAwsEndpoint({
    principals,
    tables: new Map(),
    secrets: new Secrets(template({}), undefined),
    queues: [new Queue(SETTINGS)],
    dynamoDb: { endpoint: 'http://127.0.0.1:1', accessKeyId: 'none' },
    onDenied: (message) => denied.push(message),
  });
  const clients: SQSClient[] = [];
  const clientWith = (...actions: string[]) => {
    const credentials = principals.register({ arn: 'role', authorise: POLICY(...actions) });
    const client = new SQSClient({
      endpoint: endpoint.url,
      region: 'eu-west-1',
      maxAttempts: 1,
      credentials: {
        accessKeyId: credentials.AWS_ACCESS_KEY_ID,
        secretAccessKey: credentials.AWS_SECRET_ACCESS_KEY,
      },
    });
    clients.push(client);
    return client;
  };
  try {
    await use(clientWith, denied);
  } finally {
    for (const client of clients) client.destroy();
    await endpoint.close();
  }
}

const counted = async (client: SQSClient) => {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
  const { Attributes = {} } = await client.send(command);
  return [
    Attributes['ApproximateNumberOfMessages'],
    Attributes['ApproximateNumberOfMessagesNotVisible'],
    Attributes['ApproximateNumberOfMessagesDelayed'],
  ];
};

test("the SDK's client sends, receives, hides and deletes messages", () =>
  withEndpoint(async (clientWith) => {
    const client = clientWith('sqs:*');
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'first', MessageGroupId: 'one' }));
    const Entries = ['a', 'b'].map((Id) => ({ Id, MessageBody: `batch ${Id}`, DelaySeconds: 900 }));
    const sent = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(sent.Successful?.map(({ Id }) => Id)).toEqual(['a', 'b']);
    expect(await counted(client)).toEqual(['1', '0', '2']);

    const receive = new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'] });
    const { Messages: [message] = [] } = await client.send(receive);
    expect(message).toMatchObject({
      Body: 'first',
      Attributes: { ApproximateReceiveCount: '1', MessageGroupId: 'one' },
    });
    const handle = { QueueUrl, ReceiptHandle: message?.ReceiptHandle };
    await client.send(new ChangeMessageVisibilityCommand({ ...handle, VisibilityTimeout: 0 }));
    expect(await counted(client)).toEqual(['1', '0', '2']);
    const { Messages: [again] = [] } = await client.send(receive);
    await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: again?.ReceiptHandle }));
    expect(await counted(client)).toEqual(['0', '0', '2']);
    await expect(
      client.send(new ChangeMessageVisibilityCommand({ ...handle, VisibilityTimeout: 1 })),
    ).rejects.toMatchObject({ name: 'MessageNotInflight' });
  }));

test('a request without the permission is denied, changes nothing, and is logged', () =>
  withEndpoint(async (clientWith, denied) => {
    const sender = clientWith('sqs:SendMessage');
    await sender.send(new SendMessageCommand({ QueueUrl, MessageBody: 'kept' }));
    await expect(sender.send(new ReceiveMessageCommand({ QueueUrl }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    const reader = clientWith('sqs:GetQueueAttributes', 'sqs:ReceiveMessage');
    await expect(
      reader.send(new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '1', MessageBody: 'no' }] })),
    ).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(await counted(reader)).toEqual(['1', '0', '0']);
    const { Messages: [message] = [] } = await reader.send(new ReceiveMessageCommand({ QueueUrl }));
    await expect(
      reader.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle })),
    ).rejects.toMatchObject({ name: 'AccessDeniedException' });
    expect(await counted(reader)).toEqual(['0', '1', '0']);
    expect(denied).toHaveLength(3);
    expect(denied[0]).toContain('sqs:ReceiveMessage');
  }));

test('requests that the runtime does not support, and requests to other queues, are rejected', () =>
  withEndpoint(async (clientWith) => {
    const client = clientWith('sqs:*');
    await expect(client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }))).rejects.toThrow(
      'WaitTimeSeconds',
    );
    await expect(
      client.send(
        new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: 'x', VisibilityTimeout: 43_201 }),
      ),
    ).rejects.toThrow('VisibilityTimeout');
    const everywhere = clientWith();
    await expect(
      everywhere.send(new SendMessageCommand({ QueueUrl: `${QueueUrl}-2`, MessageBody: 'x' })),
    ).rejects.toMatchObject({ name: 'AccessDeniedException' });
  }));
