import type { RowUpdate } from '../core/database.ts';
import type { Endpoint, Lease } from './endpoint.ts';

/** The conditional changes that deliveries make to the row of an endpoint. */

/** Returns the update that takes a lease of an enabled endpoint if the lease is free or has expired. */
export function takeLease({ name, holder, untilMs }: Lease, nowMs: number): RowUpdate {
  return {
    UpdateExpression: 'SET #lease = :lease',
    ConditionExpression: '#state = :enabled AND (attribute_not_exists(#lease) OR #lease.untilMs < :now)',
    ExpressionAttributeNames: { '#lease': name, '#state': 'state' },
    ExpressionAttributeValues: { ':lease': { holder, untilMs }, ':enabled': 'ENABLED', ':now': nowMs },
  };
}

/** Returns the update that frees a lease, unless it has expired and another delivery has taken it. */
export function returnLease({ name, holder, untilMs }: Lease): RowUpdate {
  return {
    UpdateExpression: 'REMOVE #lease',
    ConditionExpression: '#lease.holder = :holder AND #lease.untilMs = :until',
    ExpressionAttributeNames: { '#lease': name },
    ExpressionAttributeValues: { ':holder': holder, ':until': untilMs },
  };
}

/**
 * Returns the update that disables an endpoint that responded with 410, unless a member has changed it since it was
 * read.
 */
export function disableGone({ version }: Endpoint): RowUpdate {
  return {
    UpdateExpression: 'SET #state = :disabled, disabledBecause = :gone, version = :next',
    ConditionExpression: 'version = :read AND #state = :enabled',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':disabled': 'DISABLED',
      ':gone': 'GONE',
      ':next': version + 1,
      ':read': version,
      ':enabled': 'ENABLED',
    },
  };
}
