import { Stack } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { EVENT_SOURCE, type ServiceEvent } from '../../../shared/events/event.ts';
import type { FunctionSpec } from '../../routes.ts';
import type { StageResources } from '../access/access.ts';
import { eventBusName, failedSchedulesName } from '../physical-names.ts';
import { type FunctionSources, serviceFunction } from './service-function.ts';

/** A function that runs for each event of some types. */
export interface EventFunction extends FunctionSpec {
  readonly timeoutSeconds: number;
  readonly eventTypes: readonly ServiceEvent['type'][];
}

/**
 * Runs a function for events from the stage's event bus. EventBridge delivers each event at least once. If every
 * attempt of a run fails, its event is stored in the queue of failed schedules, whose alarm then fires.
 */
export function addEventFunction(
  scope: Construct,
  { eventTypes, ...spec }: EventFunction,
  sources: FunctionSources,
  resources: StageResources,
): void {
  const { stage, operations } = sources.config;
  // Refers to the queue by name, because CloudFormation does not delete a resource that another stack references.
  const queueArn = Stack.of(scope).formatArn({ service: 'sqs', resource: failedSchedulesName(stage) });
  const deadLetterQueue = operations && Queue.fromQueueArn(scope, `${spec.name}-failed`, queueArn);
  const handler = serviceFunction(scope, { ...spec, deadLetterQueue }, sources, resources);
  new Rule(scope, `${spec.name}-events`, {
    eventBus: EventBus.fromEventBusName(scope, `${spec.name}-bus`, eventBusName(stage)),
    eventPattern: { source: [EVENT_SOURCE], detailType: [...eventTypes] },
    targets: [new FunctionTarget(handler)],
  });
}
