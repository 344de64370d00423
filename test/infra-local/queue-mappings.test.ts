import { describe, expect, test } from '@jest/globals';
import { Queue, type QueueSettings } from '../../infra/local/aws/queue.ts';
import { queuesOf } from '../../infra/local/aws/sqs.ts';
import type { FunctionDefinition } from '../../infra/local/functions/definitions.ts';
import type { InvocationResult } from '../../infra/local/functions/function-instance.ts';
import {
  type QueueMapping,
  queueMappingsOf,
  startMapping,
} from '../../infra/local/functions/queue-mappings.ts';
import { Deployment, type Template } from '../../infra/local/templates/template.ts';
import { DAY_MS } from '../../shared/core/clock.ts';

const SETTINGS: QueueSettings = {
  name: 'jobs',
  arn: 'arn:aws:sqs:eu-west-1:000000000000:jobs',
  visibilityTimeoutMs: 30_000,
  retentionMs: 14 * DAY_MS,
  delayMs: 0,
};
const FUNCTION = 'arn:aws:lambda:eu-west-1:000000000000:function:worker';
const MAPPING: QueueMapping = {
  queueArn: SETTINGS.arn,
  functionArn: FUNCTION,
  batchSize: 1,
  maxConcurrency: 2,
  reportsFailures: true,
};

interface Run {
  readonly records: readonly {
    messageId: string;
    receiptHandle: string;
    body: string;
    attributes: Record<string, string>;
  }[];
  readonly atMs: number;
  readonly end: (result: InvocationResult | undefined) => Promise<void>;
}

const returned = (payload: unknown): InvocationResult => ({ kind: 'returned', payload, body: undefined });
const threw: InvocationResult = { kind: 'failed', reason: 'threw' };

/** Starts a mapping whose runs the test ends, in virtual time. */
function startedMapping(changes: Partial<QueueMapping> = {}, maxReceives?: number) {
  const time = { nowMs: 0 };
  const timers = new Set<{ atMs: number; run: () => void }>();
  const deadLetters = new Queue({ ...SETTINGS, name: 'dead' }, undefined, () => time.nowMs);
  const redrive = maxReceives === undefined ? undefined : { arn: 'dead', maxReceives };
  const queue = new Queue({ ...SETTINGS, redrive }, deadLetters, () => time.nowMs);
  const runs: Run[] = [];
  const mapping = { ...MAPPING, ...changes };
  const stop = startMapping({
    mapping,
    queue,
    maxConcurrency: mapping.maxConcurrency ?? 10,
    invoke: (event) =>
      new Promise((resolve) => {
        const { Records: records } = event as { Records: Run['records'] };
        const end = async (result: InvocationResult | undefined) => {
          resolve(result);
          await new Promise(setImmediate);
        };
        runs.push({ records, atMs: time.nowMs, end });
      }),
    nowMs: () => time.nowMs,
    setTimer: (run, afterMs) => {
      const timer = { atMs: time.nowMs + afterMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const advance = (ms: number) => {
    const endMs = time.nowMs + ms;
    for (;;) {
      const [next] = [...timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      timers.delete(next);
      time.nowMs = next.atMs;
      next.run();
    }
    time.nowMs = endMs;
  };
  return { queue, deadLetters, runs, stop, advance, timers };
}

describe('a mapping', () => {
  test('runs the function as soon as a message is sent, and deletes the message if the run completes it', async () => {
    const { queue, runs, advance } = startedMapping();
    const messageId = queue.send('one', { group: 'g' });
    expect(runs).toMatchObject([
      {
        records: [
          { messageId, body: 'one', attributes: { ApproximateReceiveCount: '1', MessageGroupId: 'g' } },
        ],
      },
    ]);
    await runs[0]?.end(returned({ batchItemFailures: [] }));
    expect(queue.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    advance(DAY_MS);
    expect(runs).toHaveLength(1);
  });

  test('never exceeds its maximum concurrency, and starts the next run as soon as one ends', async () => {
    const { queue, runs } = startedMapping();
    for (let count = 0; count < 5; count += 1) queue.send(String(count));
    expect(runs).toHaveLength(2);
    expect(queue.counts()).toMatchObject({ visible: 3, inFlight: 2 });
    await runs[1]?.end(returned(null));
    expect(runs).toHaveLength(3);
    await runs[0]?.end(returned(undefined));
    expect(runs).toHaveLength(4);
  });

  test.each<[string, InvocationResult | undefined]>([
    ['throws', threw],
    ['cannot run', undefined],
    ['reports the message', returned({ batchItemFailures: [{ itemIdentifier: 'its own' }] })],
    ['reports a message that it did not receive', returned({ batchItemFailures: [{ itemIdentifier: 'x' }] })],
    ['returns nonsense', returned({ batchItemFailures: 'all' })],
  ])('delivers a message again after its visibility timeout if the function %s', async (_, result) => {
    const { queue, runs, advance } = startedMapping();
    const id = queue.send('one');
    const text = JSON.stringify(result ?? null).replace('its own', id);
    await runs[0]?.end((JSON.parse(text) as InvocationResult | null) ?? undefined);
    advance(29_999);
    expect(runs).toHaveLength(1);
    advance(1);
    expect(runs[1]).toMatchObject({
      atMs: 30_000,
      records: [{ messageId: id, attributes: { ApproximateReceiveCount: '2' } }],
    });
  });

  test('delivers a message at the time that the function chose', async () => {
    const { queue, runs, advance } = startedMapping();
    const id = queue.send('one');
    queue.changeVisibility(runs[0]?.records[0]?.receiptHandle ?? '', 300_000);
    await runs[0]?.end(returned({ batchItemFailures: [{ itemIdentifier: id }] }));
    advance(299_999);
    expect(runs).toHaveLength(1);
    advance(1);
    expect(runs[1]?.atMs).toBe(300_000);
  });

  test('deletes only the completed messages of a batch', async () => {
    const { queue, runs, advance } = startedMapping({ batchSize: 10, maxConcurrency: 2 });
    queue.send('blocks');
    queue.send('blocks');
    for (const body of ['a', 'b', 'c']) queue.send(body);
    await runs[0]?.end(returned({ batchItemFailures: [] }));
    const batch = runs[2]?.records ?? [];
    expect(batch.map(({ body }) => body)).toEqual(['a', 'b', 'c']);
    await runs[2]?.end(returned({ batchItemFailures: [{ itemIdentifier: batch[1]?.messageId }] }));
    await runs[1]?.end(returned({ batchItemFailures: [] }));
    expect(queue.counts()).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
    advance(30_000);
    expect(runs[3]?.records.map(({ body }) => body)).toEqual(['b']);
  });

  test('completes all messages of a run that returns, if the function does not report failures', async () => {
    const { queue, runs } = startedMapping({ reportsFailures: false });
    const id = queue.send('one');
    await runs[0]?.end(returned({ batchItemFailures: [{ itemIdentifier: id }] }));
    expect(queue.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  test('moves a message that was received too often to the dead-letter queue instead of running the function', async () => {
    const { queue, deadLetters, runs, advance } = startedMapping({}, 3);
    queue.send('poison');
    for (let receives = 1; receives <= 3; receives += 1) {
      expect(runs).toHaveLength(receives);
      await runs[receives - 1]?.end(threw);
      advance(30_000);
    }
    expect(runs).toHaveLength(3);
    expect(queue.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    expect(deadLetters.counts().visible).toBe(1);
  });

  test('that is stopped starts nothing more, lets its runs end, and leaves no timer', async () => {
    const { queue, runs, stop, timers } = startedMapping();
    queue.send('running');
    stop();
    queue.send('waiting');
    expect(runs).toHaveLength(1);
    expect(timers.size).toBe(0);
    await runs[0]?.end(returned({ batchItemFailures: [] }));
    expect(queue.counts()).toEqual({ visible: 1, inFlight: 0, delayed: 0 });
    expect(timers.size).toBe(0);
  });
});

describe('the mappings in the templates', () => {
  const ALLOWED = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

  function mappingsOf(properties: object = {}, actions = ALLOWED, timeoutMs = 28_000) {
    const jobs = { 'Fn::GetAtt': ['Jobs', 'Arn'] };
    const Policies = [
      {
        PolicyName: 'access',
        PolicyDocument: { Statement: [{ Effect: 'Allow', Action: actions, Resource: jobs }] },
      },
    ];
    const Resources = {
      Jobs: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'jobs', VisibilityTimeout: 30 } },
      Role: { Type: 'AWS::IAM::Role', Properties: { RoleName: 'role', Policies } },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: { EventSourceArn: jobs, FunctionName: 'worker', BatchSize: 1, ...properties },
      },
    };
    const deployment = new Deployment([{ name: 'app', template: { Resources } as unknown as Template }]);
    const definition = {
      name: 'worker',
      physicalName: 'worker',
      arn: FUNCTION,
      roleArn: 'arn:aws:iam::000000000000:role/role',
      timeoutMs,
    } as FunctionDefinition;
    return queueMappingsOf(deployment, [definition], queuesOf(deployment));
  }

  test('are created with their settings', () => {
    const settings = {
      ScalingConfig: { MaximumConcurrency: 40 },
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    };
    expect(mappingsOf(settings)).toEqual([{ ...MAPPING, maxConcurrency: 40 }]);
    expect(mappingsOf()).toEqual([{ ...MAPPING, maxConcurrency: undefined, reportsFailures: false }]);
    expect(mappingsOf({ Enabled: false })).toEqual([]);
  });

  test.each(ALLOWED)('fail if the role lacks the permission %s', (action) => {
    const others = ALLOWED.filter((one) => one !== action);
    expect(() => mappingsOf({}, others)).toThrow(`worker does not allow ${action} on ${SETTINGS.arn}`);
  });

  test('fail if a message would become visible while the function runs', () => {
    expect(() => mappingsOf({}, ALLOWED, 30_001)).toThrow(
      'is shorter than the timeout of the function worker',
    );
  });

  test('fail with a setting that the runtime does not support, or with an unknown function', () => {
    expect(() => mappingsOf({ FilterCriteria: { Filters: [] } })).toThrow();
    expect(() => mappingsOf({ EventSourceArn: 'arn:aws:kinesis:eu-west-1:000000000000:stream/x' })).toThrow(
      'does not support the event source',
    );
    expect(() => mappingsOf({ FunctionName: 'other' })).toThrow('The templates contain no function other.');
  });
});
