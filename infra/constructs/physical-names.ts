import type { Stage } from '../config.ts';

/**
 * Names that the stacks agree on without a reference: CloudFormation refuses to drop what another stack refers to, and
 * an alarm must never stand in the way of a function that goes.
 */

export const serviceName = (stage: Stage) => `identity-${stage}`;

export const functionNameOf = (stage: Stage, name: string) => `identity-${stage}-${name}`;

/** Where the events go of schedules that failed. */
export const failedSchedulesName = (stage: Stage) => `identity-${stage}-failed-schedules`;

/** What operators' own systems subscribe to (docs/events.md). */
export const eventBusName = (stage: Stage) => `identity-${stage}-events`;

/** The namespace of every metric that the functions write. */
export const METRICS_NAMESPACE = 'IdentityVerification';

/** Answers that API Gateway gave in place of a function, counted from its access log. */
export const GATEWAY_METRICS = { throttled: 'gatewayThrottles', failed: 'gatewayFailures' } as const;
