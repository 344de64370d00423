import type { OperatorRole } from '../../shared/operators/actions.ts';
import type { Stage } from '../config.ts';
import { SERVING_FUNCTION_NAMES } from '../routes.ts';

/**
 * Several stacks use names instead of references: CloudFormation does not delete a resource that another stack
 * references, and an alarm must never prevent the removal of a function.
 */

export const serviceName = (stage: Stage) => `identity-${stage}`;

export const consoleName = (stage: Stage) => `identity-${stage}-console`;

export const operatorsName = (stage: Stage) => `identity-${stage}-operators`;

/** The function that others start for a wallet that has changed. */
export const PUBLISHER = 'publish-events';

/** These functions once had names without `api-`, in another stack. Both can exist during an update. */
export const servingPrefix = (stage: Stage) => `identity-${stage}-api-`;

export const functionNameOf = (stage: Stage, name: string) =>
  SERVING_FUNCTION_NAMES.includes(name) ? servingPrefix(stage) + name : `identity-${stage}-${name}`;

/** Of all functions that the API invokes, in stages with operations. */
export const LIVE_ALIAS = 'live';

/** Their deployments in CodeDeploy. */
export const rolloutName = (stage: Stage) => `identity-${stage}-api`;

export const operatorRoleName = (stage: Stage, role: OperatorRole) => `identity-${stage}-${role}`;

/** May write tables directly, for what the operator API cannot do. */
export const breakGlassRoleName = (stage: Stage) => `identity-${stage}-break-glass`;

export const deliveryRoleName = (stage: Stage) => `identity-${stage}-delivery`;

/** In the account of the stage, and in the account of the copies. */
export const backupVaultName = (stage: Stage) => `identity-${stage}`;

export const failedSchedulesName = (stage: Stage) => `identity-${stage}-failed-schedules`;

/** The webhook queue, and its dead-letter queue. */
export const webhookQueueName = (stage: Stage) => `identity-${stage}-webhooks`;
export const failedWebhooksName = (stage: Stage) => `identity-${stage}-failed-webhooks`;

export const eventBusName = (stage: Stage) => `identity-${stage}-events`;

/** Filtered from the access log of API Gateway. */
export const GATEWAY_METRICS = { throttled: 'gatewayThrottles', failed: 'gatewayFailures' } as const;
