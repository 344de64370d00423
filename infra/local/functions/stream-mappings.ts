import * as v from 'valibot';
import { roleAuthoriser } from '../aws/policy.ts';
import type { StreamRecord, TableStream } from '../aws/table-stream.ts';
import { streamArn, type Table } from '../aws/tables.ts';
import { REGION } from '../templates/physical-names.ts';
import type { Deployment } from '../templates/template.ts';
import type { FunctionDefinition } from './definitions.ts';
import type { InvocationResult } from './function-instance.ts';

export interface StreamMapping {
  readonly streamArn: string;
  readonly functionArn: string;
  readonly batchSize: number;
}

const mappingShape = v.strictObject({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(1_000)), 100),
  // Locally, a batch is repeated as a whole.
  BisectBatchOnFunctionError: v.optional(v.boolean()),
  StartingPosition: v.literal('TRIM_HORIZON'),
  Tags: v.optional(v.unknown()),
});

/** With the role of the function. */
const NEEDED = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];

/** Throws if Lambda would not create one: no stream or function, or a missing permission. */
export function streamMappingsOf(
  deployment: Deployment,
  definitions: readonly FunctionDefinition[],
  tables: readonly Table[],
): StreamMapping[] {
  return deployment
    .ofType('AWS::Lambda::EventSourceMapping')
    .map((resource) => deployment.properties(resource))
    .filter(({ EventSourceArn }) => isStream(EventSourceArn))
    .map((properties) => {
      const { EventSourceArn, FunctionName, BatchSize } = v.parse(mappingShape, properties);
      const isKnown = tables.some((table) => table.hasStream && streamArn(table) === EventSourceArn);
      if (!isKnown) throw new Error(`The templates contain no stream ${EventSourceArn}.`);
      const definition = definitions.find((one) => [one.arn, one.physicalName].includes(FunctionName));
      if (!definition) throw new Error(`The templates contain no function ${FunctionName}.`);
      const isAllowed = roleAuthoriser(deployment, definition.roleArn);
      const missing = [
        ...NEEDED.filter((action) => !isAllowed(action, EventSourceArn)),
        ...['dynamodb:ListStreams'].filter((action) => !isAllowed(action, '*')),
      ];
      if (missing.length > 0)
        throw new Error(
          `The role of the function ${definition.name} does not allow ${missing.join(', ')} on ${EventSourceArn}.`,
        );
      return { streamArn: EventSourceArn, functionArn: definition.arn, batchSize: BatchSize };
    });
}

export function isStream(eventSourceArn: unknown): boolean {
  return /^arn:aws:dynamodb:.*\/stream\//.test(String(eventSourceArn));
}

/** Lambda polls four times a second. */
const POLL_MS = 500;

interface StreamMappingOptions {
  readonly mapping: StreamMapping;
  readonly stream: Pick<TableStream, 'read'>;
  /** Resolves to undefined if the function cannot run. */
  readonly invoke: (event: object) => Promise<InvocationResult | undefined>;
  readonly onError: (error: Error) => void;
}

/** One batch after another, until the returned function is called. A failed batch is repeated. */
export function startStreamMapping({ mapping, stream, invoke, onError }: StreamMappingOptions): () => void {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const runBatch = async (): Promise<boolean> => {
    const batch = await stream.read(mapping.batchSize);
    if (!batch || isStopped) return false;
    const result = await invoke({ Records: batch.records.map((one) => recordOf(one, mapping)) });
    const isDone = result?.kind === 'returned';
    if (isDone) batch.complete();
    return isDone;
  };
  const next = async (): Promise<void> => {
    let hasMore = false;
    try {
      hasMore = await runBatch();
    } catch (error) {
      if (!isStopped) onError(error as Error);
    }
    if (!isStopped) timer = setTimeout(next, hasMore ? 0 : POLL_MS);
  };
  void next();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

function recordOf(record: StreamRecord, mapping: StreamMapping): object {
  return {
    ...record,
    eventSource: 'aws:dynamodb',
    awsRegion: REGION,
    eventSourceARN: mapping.streamArn,
  };
}
