import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { ACCOUNT_ID, queuePath } from '../templates/physical-names.ts';
import type { Deployment } from '../templates/template.ts';
import { type AwsResponse, awsError, type Deny } from './aws-response.ts';
import type { Principal } from './principals.ts';
import { Queue, type QueueSettings, type ReceivedMessage } from './queue.ts';

/** SQS: the queues that the templates declare, and the requests that functions send to them. */

const seconds = (least: number, most: number) =>
  v.pipe(
    v.number(),
    v.minValue(least),
    v.maxValue(most),
    v.transform((count) => count * 1000),
  );
const delay = seconds(0, 900);
const hours12 = seconds(0, 43_200);

const queueShape = v.object({
  VisibilityTimeout: v.optional(hours12, 30),
  MessageRetentionPeriod: v.optional(seconds(60, 1_209_600), 345_600),
  DelaySeconds: v.optional(delay, 0),
  FifoQueue: v.optional(v.literal(false)),
  RedrivePolicy: v.optional(
    v.strictObject({
      deadLetterTargetArn: v.string(),
      maxReceiveCount: v.pipe(v.number(), v.minValue(1), v.maxValue(1000)),
    }),
  ),
});

/** Creates the queues of the templates. Throws for a queue that the runtime does not support, such as a FIFO queue. */
export function queuesOf(deployment: Deployment): readonly Queue[] {
  const settings = deployment.ofType('AWS::SQS::Queue').map((resource): QueueSettings => {
    const properties = v.parse(queueShape, deployment.properties(resource));
    const { RedrivePolicy } = properties;
    return {
      name: deployment.name(resource),
      arn: deployment.arn(resource),
      visibilityTimeoutMs: properties.VisibilityTimeout,
      retentionMs: properties.MessageRetentionPeriod,
      delayMs: properties.DelaySeconds,
      redrive: RedrivePolicy && {
        arn: RedrivePolicy.deadLetterTargetArn,
        maxReceives: RedrivePolicy.maxReceiveCount,
      },
    };
  });
  const queues = new Map<string, Queue>();
  const create = (one: QueueSettings): Queue => {
    const target = settings.find(({ arn }) => arn === one.redrive?.arn);
    if (one.redrive && !target)
      throw new Error(`The templates do not contain the dead-letter queue of ${one.name}.`);
    const queue = queues.get(one.arn) ?? new Queue(one, target && create(target));
    queues.set(one.arn, queue);
    return queue;
  };
  return settings.map(create);
}

const message = { MessageBody: v.pipe(v.string(), v.minLength(1)), DelaySeconds: v.optional(delay) };
const grouped = { ...message, MessageGroupId: v.optional(v.string()) };
const received = { QueueUrl: v.string(), ReceiptHandle: v.string() };
const tenAtMost = v.pipe(v.number(), v.minValue(1), v.maxValue(10));

const sendShape = v.strictObject({ QueueUrl: v.string(), ...grouped });
const batchShape = v.strictObject({
  QueueUrl: v.string(),
  Entries: v.pipe(
    v.array(v.strictObject({ Id: v.string(), ...grouped })),
    v.minLength(1, 'There must be at least one entry.'),
    v.maxLength(10, 'SQS accepts at most 10 entries.'),
  ),
});
const receiveShape = v.strictObject({
  QueueUrl: v.string(),
  MaxNumberOfMessages: v.optional(tenAtMost, 1),
  VisibilityTimeout: v.optional(hours12),
  // Ignored: all attributes are always returned.
  MessageSystemAttributeNames: v.optional(v.array(v.string())),
});
const deleteShape = v.strictObject(received);
const visibilityShape = v.strictObject({ ...received, VisibilityTimeout: hours12 });
const attributesShape = v.strictObject({
  QueueUrl: v.string(),
  AttributeNames: v.optional(v.array(v.string())),
});

/** The size limit of a message, and also of a batch. */
const MAX_BYTES = 1024 * 1024;

type Sent = v.InferOutput<typeof sendShape>;

/** An SQS operation on one queue: the action that needs permission, and the function that handles a request. */
interface Operation {
  readonly action: string;
  run(queue: Queue, body: unknown): AwsResponse;
}

function operation<T extends v.GenericSchema>(
  action: string,
  shape: T,
  run: (queue: Queue, request: v.InferOutput<T>) => AwsResponse,
): Operation {
  return {
    action,
    run(queue, body) {
      const request = v.safeParse(shape, body);
      if (request.success) return run(queue, request.output);
      const problems = request.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
      return awsError(
        'InvalidParameterValue',
        `The local runtime does not support this request. ${problems.join('; ')}`,
      );
    },
  };
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  SendMessage: operation('sqs:SendMessage', sendShape, (queue, sent) =>
    isTooLong([sent]) ? tooLong() : ok(send(queue, sent)),
  ),
  SendMessageBatch: operation('sqs:SendMessage', batchShape, (queue, { Entries }) => {
    if (isTooLong(Entries)) return tooLong();
    return ok({ Successful: Entries.map((entry) => ({ Id: entry.Id, ...send(queue, entry) })), Failed: [] });
  }),
  ReceiveMessage: operation('sqs:ReceiveMessage', receiveShape, (queue, request) =>
    ok({
      Messages: queue.receive(request.MaxNumberOfMessages, request.VisibilityTimeout).map((one) => ({
        MessageId: one.id,
        ReceiptHandle: one.receiptHandle,
        Body: one.body,
        MD5OfBody: md5(one.body),
        Attributes: messageAttributes(one),
      })),
    }),
  ),
  DeleteMessage: operation('sqs:DeleteMessage', deleteShape, (queue, { ReceiptHandle }) =>
    queue.delete(ReceiptHandle)
      ? ok({})
      : awsError('ReceiptHandleIsInvalid', 'The receipt handle is not valid.'),
  ),
  ChangeMessageVisibility: operation(
    'sqs:ChangeMessageVisibility',
    visibilityShape,
    (queue, { ReceiptHandle, VisibilityTimeout }) => {
      const result = queue.changeVisibility(ReceiptHandle, VisibilityTimeout);
      if (result === 'changed') return ok({});
      if (result === 'not-in-flight') return awsError('MessageNotInflight', 'The message is not in flight.');
      return awsError(
        'InvalidParameterValue',
        'Total VisibilityTimeout for the message is beyond the limit [43200 seconds].',
      );
    },
  ),
  GetQueueAttributes: operation('sqs:GetQueueAttributes', attributesShape, (queue) =>
    ok({ Attributes: queueAttributes(queue) }),
  ),
};

/** Handles a request to SQS. */
export function sqsResponse(
  queues: readonly Queue[],
  principal: Principal,
  name: string,
  body: unknown,
  deny: Deny,
): AwsResponse {
  const found = OPERATIONS[name];
  if (!found)
    return awsError('UnsupportedOperation', `The local runtime does not support the SQS operation ${name}.`);
  const { QueueUrl } = v.parse(v.object({ QueueUrl: v.optional(v.string(), '') }), body);
  const queue = queues.find(({ settings }) => QueueUrl.endsWith(queuePath(settings.name)));
  const arn = queue?.settings.arn ?? '*';
  if (!principal.authorise(found.action, arn)) return deny(found.action, arn);
  if (!queue) return awsError('QueueDoesNotExist', 'The specified queue does not exist.');
  return found.run(queue, body);
}

/** Returns the attributes of a received message, as SQS and Lambda name them. */
export function messageAttributes({ receives, sentAtMs, firstReceivedAtMs, group }: ReceivedMessage) {
  return {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: String(sentAtMs),
    SenderId: ACCOUNT_ID,
    ApproximateFirstReceiveTimestamp: String(firstReceivedAtMs),
    ...(group !== undefined && { MessageGroupId: group }),
  };
}

export const md5 = (text: string) => createHash('md5').update(text).digest('hex');

const ok = (content: object): AwsResponse => ({ status: 200, content });

function isTooLong(sent: readonly Pick<Sent, 'MessageBody'>[]): boolean {
  return sent.reduce((bytes, { MessageBody }) => bytes + Buffer.byteLength(MessageBody), 0) > MAX_BYTES;
}

const tooLong = () =>
  awsError('InvalidParameterValue', `One or more messages are longer than ${MAX_BYTES} bytes.`);

function send(queue: Queue, { MessageBody, MessageGroupId, DelaySeconds }: Omit<Sent, 'QueueUrl'>) {
  const MessageId = queue.send(MessageBody, { group: MessageGroupId, delayMs: DelaySeconds });
  return { MessageId, MD5OfMessageBody: md5(MessageBody) };
}

function queueAttributes(queue: Queue) {
  const { visible, inFlight, delayed } = queue.counts();
  const { arn, visibilityTimeoutMs, retentionMs, delayMs, redrive } = queue.settings;
  return {
    QueueArn: arn,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    VisibilityTimeout: String(visibilityTimeoutMs / 1000),
    MessageRetentionPeriod: String(retentionMs / 1000),
    DelaySeconds: String(delayMs / 1000),
    ...(redrive && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: redrive.arn,
        maxReceiveCount: redrive.maxReceives,
      }),
    }),
  };
}
