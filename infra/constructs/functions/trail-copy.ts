import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { COPY_AUDIT_TRAIL } from '../../routes.ts';
import type { StageResources } from '../access/access.ts';
import { type FunctionSources, serviceFunction } from './service-function.ts';

/**
 * Copies the rows of the audit trail to their archive as soon as they are written. Lambda retries until the stream drops
 * a row after 24 hours. The queue then receives the position of the row, and its alarm fires.
 */
export function addTrailCopy(
  scope: Construct,
  sources: FunctionSources,
  resources: StageResources,
  deadLetterQueue: IQueue | undefined,
): void {
  const { archive } = resources;
  if (!archive) throw new Error('The audit trail has no archive.');
  const handler = serviceFunction(scope, { ...COPY_AUDIT_TRAIL, deadLetterQueue }, sources, resources);
  new EventSourceMapping(scope, `${COPY_AUDIT_TRAIL.name}-stream`, {
    target: handler,
    eventSourceArn: archive.streamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    // A row that cannot be copied must not delay the others of its batch.
    bisectBatchOnError: true,
    ...(deadLetterQueue && { onFailure: new SqsDlq(deadLetterQueue) }),
  });
}
