import * as v from 'valibot';
import { roleAuthoriser } from '../aws/policy.ts';
import type { Queue, ReceivedMessage } from '../aws/queue.ts';
import { md5, messageAttributes } from '../aws/sqs.ts';
import { REGION } from '../templates/physical-names.ts';
import type { Deployment } from '../templates/template.ts';
import type { FunctionDefinition } from './definitions.ts';
import type { InvocationResult } from './function-instance.ts';
import { isStream } from './stream-mappings.ts';

/** Lambda receives messages from a queue and runs a function for them. */

export interface QueueMapping {
  readonly queueArn: string;
  readonly functionArn: string;
  readonly batchSize: number;
  readonly maxConcurrency: number | undefined;
  /** Otherwise, a successful run completes the whole batch. */
  readonly reportsFailures: boolean;
}

const mappingShape = v.strictObject({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(10)), 10),
  Enabled: v.optional(v.boolean(), true),
  FunctionResponseTypes: v.optional(v.array(v.literal('ReportBatchItemFailures')), []),
  ScalingConfig: v.optional(
    v.strictObject({ MaximumConcurrency: v.pipe(v.number(), v.minValue(2), v.maxValue(1000)) }),
  ),
  Tags: v.optional(v.unknown()),
});

/** With the role of the function. */
const NEEDED = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/**
 * Throws if Lambda would not create one: no queue or function, a missing permission, or a message that could become
 * visible while the function runs.
 */
export function queueMappingsOf(
  deployment: Deployment,
  definitions: readonly FunctionDefinition[],
  queues: readonly Queue[],
): QueueMapping[] {
  return deployment.ofType('AWS::Lambda::EventSourceMapping').flatMap((resource) => {
    if (isStream(deployment.properties(resource)['EventSourceArn'])) return [];
    const mapping = v.parse(mappingShape, deployment.properties(resource));
    const { EventSourceArn, FunctionName } = mapping;
    const queue = queues.find(({ settings }) => settings.arn === EventSourceArn);
    if (!queue) throw new Error(`The local runtime does not support the event source ${EventSourceArn}.`);
    const definition = definitions.find((one) => [one.arn, one.physicalName].includes(FunctionName));
    if (!definition) throw new Error(`The templates contain no function ${FunctionName}.`);
    const isAllowed = roleAuthoriser(deployment, definition.roleArn);
    const missing = NEEDED.filter((action) => !isAllowed(action, EventSourceArn));
    if (missing.length > 0)
      throw new Error(
        `The role of the function ${definition.name} does not allow ${missing.join(', ')} on ${EventSourceArn}.`,
      );
    if (queue.settings.visibilityTimeoutMs < definition.timeoutMs)
      throw new Error(
        `The visibility timeout of ${EventSourceArn} is shorter than the timeout of the function ${definition.name}.`,
      );
    if (!mapping.Enabled) return [];
    return [
      {
        queueArn: EventSourceArn,
        functionArn: definition.arn,
        batchSize: mapping.BatchSize,
        maxConcurrency: mapping.ScalingConfig?.MaximumConcurrency,
        reportsFailures: mapping.FunctionResponseTypes.length > 0,
      },
    ];
  });
}

/** The returned function cancels the call. */
type SetTimer = (run: () => void, afterMs: number) => () => void;

interface MappingOptions {
  readonly mapping: QueueMapping;
  readonly queue: Queue;
  /** The maximum number of concurrent runs. */
  readonly maxConcurrency: number;
  /** Resolves to undefined if the function cannot run. */
  readonly invoke: (event: object) => Promise<InvocationResult | undefined>;
  readonly nowMs?: () => number;
  readonly setTimer?: SetTimer;
}

const setRealTimer: SetTimer = (run, afterMs) => {
  const timer = setTimeout(run, afterMs);
  return () => clearTimeout(timer);
};

/** Until the returned function is called. Runs in progress continue. */
export function startMapping(options: MappingOptions): () => void {
  const { mapping, queue, maxConcurrency, nowMs = Date.now, setTimer = setRealTimer } = options;
  let running = 0;
  let isStopped = false;
  let cancelTimer = () => {};
  const next = (): void => {
    cancelTimer();
    while (!isStopped && running < maxConcurrency) {
      const messages = queue.receive(mapping.batchSize);
      if (messages.length === 0) break;
      running += 1;
      void runBatch(options, messages).finally(() => {
        running -= 1;
        next();
      });
    }
    const dueAtMs = queue.nextVisibleAtMs();
    if (isStopped || running >= maxConcurrency || dueAtMs === undefined) return;
    cancelTimer = setTimer(next, Math.max(0, dueAtMs - nowMs()));
  };
  const stopListening = queue.onChange(next);
  next();
  return () => {
    isStopped = true;
    cancelTimer();
    stopListening();
  };
}

/** Messages that are not completed become visible again. */
async function runBatch(
  { mapping, queue, invoke }: MappingOptions,
  messages: readonly ReceivedMessage[],
): Promise<void> {
  const event = { Records: messages.map((one) => recordOf(one, mapping.queueArn)) };
  const result = await invoke(event);
  if (result?.kind !== 'returned') return;
  const failed = mapping.reportsFailures ? failuresIn(result.payload, messages) : [];
  for (const { id, receiptHandle } of messages) if (!failed.includes(id)) queue.delete(receiptHandle);
}

const responseShape = v.object({
  batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.string() })), []),
});

/** As in Lambda, all failed if the response is malformed or names an unknown message. */
function failuresIn(payload: unknown, messages: readonly ReceivedMessage[]): readonly string[] {
  const all = messages.map(({ id }) => id);
  const response = v.safeParse(responseShape, payload ?? {});
  if (!response.success) return all;
  const failed = (response.output.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => all.includes(id)) ? failed : all;
}

function recordOf(message: ReceivedMessage, queueArn: string): object {
  return {
    messageId: message.id,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: messageAttributes(message),
    messageAttributes: {},
    md5OfBody: md5(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  };
}
