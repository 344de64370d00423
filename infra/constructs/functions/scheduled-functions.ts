import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { CONSOLE_SCHEDULES } from '../../console-routes.ts';
import { SCHEDULES, type Schedule as ScheduleSpec } from '../../routes.ts';
import type { StageResources } from '../access/access.ts';
import { failedSchedulesName } from '../physical-names.ts';
import { type FunctionSources, serviceFunction } from './service-function.ts';

/**
 * Runs the scheduled functions. If every attempt of a run fails, its event is kept and an alarm fires. Returns the queue
 * that keeps it, which only a stage on AWS has.
 */
export function addSchedules(
  scope: Construct,
  sources: FunctionSources,
  resources: StageResources,
): IQueue | undefined {
  const { stage, operations } = sources.config;
  const deadLetterQueue =
    operations &&
    new Queue(scope, 'FailedSchedules', {
      queueName: failedSchedulesName(stage),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
  for (const spec of SCHEDULES) addSchedule(scope, spec, sources, resources, deadLetterQueue);
  return deadLetterQueue;
}

/**
 * Runs the scheduled functions of the console. The event of a failed run is dropped, because the next run also does the
 * work of the failed one. An alarm fires if no run completes.
 */
export function addConsoleSchedules(
  scope: Construct,
  sources: FunctionSources,
  resources: StageResources,
): void {
  for (const spec of CONSOLE_SCHEDULES) addSchedule(scope, spec, sources, resources);
}

/** Runs one function on its schedule. `deadLetterQueue` keeps the events of failed runs. @default they are dropped */
function addSchedule(
  scope: Construct,
  spec: ScheduleSpec,
  sources: FunctionSources,
  resources: StageResources,
  deadLetterQueue?: IQueue,
): void {
  const handler = serviceFunction(scope, { ...spec, deadLetterQueue }, sources, resources);
  new Rule(scope, `${spec.name}-schedule`, {
    schedule: Schedule.rate(Duration.minutes(spec.everyMinutes)),
    targets: [new FunctionTarget(handler, deadLetterQueue && { deadLetterQueue })],
  });
}
