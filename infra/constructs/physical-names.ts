import type { OperatorRole } from '../../shared/operators/actions.ts';
import type { Stage } from '../config.ts';

/**
 * Several stacks use names instead of references: CloudFormation does not delete a resource that another stack
 * references, and an alarm must never prevent the removal of a function.
 */

export const serviceName = (stage: Stage) => `identity-${stage}`;

export const consoleName = (stage: Stage) => `identity-${stage}-console`;

export const operatorsName = (stage: Stage) => `identity-${stage}-operators`;

/** The function that others start for a wallet that has changed. */
export const PUBLISHER = 'publish-events';
export const functionNameOf = (stage: Stage, name: string) => `identity-${stage}-${name}`;

export const operatorRoleName = (stage: Stage, role: OperatorRole) => `identity-${stage}-${role}`;

/** May write tables directly, for what the operator API cannot do. */
export const breakGlassRoleName = (stage: Stage) => `identity-${stage}-break-glass`;

export const deliveryRoleName = (stage: Stage) => `identity-${stage}-delivery`;

export const failedSchedulesName = (stage: Stage) => `identity-${stage}-failed-schedules`;

/** The webhook queue, and its dead-letter queue. */
export const webhookQueueName = (stage: Stage) => `identity-${stage}-webhooks`;
export const failedWebhooksName = (stage: Stage) => `identity-${stage}-failed-webhooks`;

export const eventBusName = (stage: Stage) => `identity-${stage}-events`;

/** Filtered from the access log of API Gateway. */
export const GATEWAY_METRICS = { throttled: 'gatewayThrottles', failed: 'gatewayFailures' } as const;
