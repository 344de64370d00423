import type { OperatorRole } from '../../shared/operators/actions.ts';
import type { Stage } from '../config.ts';

/**
 * Names that several stacks use instead of references. CloudFormation does not delete a resource that another stack
 * references, and an alarm must never prevent the removal of a function.
 */

export const serviceName = (stage: Stage) => `identity-${stage}`;

/** The name of the account console's REST API, metrics and logs. */
export const consoleName = (stage: Stage) => `identity-${stage}-console`;

/** The name of the operator API's REST API, metrics and logs. */
export const operatorsName = (stage: Stage) => `identity-${stage}-operators`;

export const functionNameOf = (stage: Stage, name: string) => `identity-${stage}-${name}`;

/** The role that people assume to use the `admin` CLI, and its policy. */
export const operatorRoleName = (stage: Stage, role: OperatorRole) => `identity-${stage}-${role}`;

/** The role that may write tables directly, for what the operator API cannot do. */
export const breakGlassRoleName = (stage: Stage) => `identity-${stage}-break-glass`;

/** The role that GitHub Actions uses to deploy the stage. */
export const deliveryRoleName = (stage: Stage) => `identity-${stage}-delivery`;

/** The queue of events for which every attempt of a function failed. */
export const failedSchedulesName = (stage: Stage) => `identity-${stage}-failed-schedules`;

/** The webhook queue, and its dead-letter queue. */
export const webhookQueueName = (stage: Stage) => `identity-${stage}-webhooks`;
export const failedWebhooksName = (stage: Stage) => `identity-${stage}-failed-webhooks`;

/** The event bus that operators' systems subscribe to (docs/operate/events.md). */
export const eventBusName = (stage: Stage) => `identity-${stage}-events`;

/** Metrics of responses that API Gateway generated itself, filtered from its access log. */
export const GATEWAY_METRICS = { throttled: 'gatewayThrottles', failed: 'gatewayFailures' } as const;
