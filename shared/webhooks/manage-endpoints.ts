import { invalidSchema, ServiceError } from '../core/errors.ts';
import type { WalletId } from '../core/keys.ts';
import { currentPart, type Secret } from '../core/secrets.ts';
import { type AddressRules, checkAddress } from './address.ts';
import { expiryOf } from './delivery.ts';
import {
  changedEndpoint,
  type Endpoint,
  type EndpointChoice,
  MOST_ENDPOINTS,
  MOST_WITH_DELETED,
  newEndpoint,
  rotatedEndpoint,
  switchedEndpoint,
} from './endpoint.ts';
import type { EndpointTable } from './endpoint-table.ts';
import { endpointSecret, masterIdOf } from './signature.ts';

/** The actions of members on webhook endpoints. */

export interface EndpointDependencies {
  readonly endpoints: EndpointTable;
  /** The master secret. */
  readonly masters: () => Promise<Secret>;
  readonly rules: AddressRules;
  readonly nowMs: () => number;
}

/** Shown only once. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

const MAX_ATTEMPTS = 5;
const TOO_MANY_DELETED =
  'The organisation has deleted too many webhook endpoints of this environment in the last 30 days. Change one that exists.';

/** Throws INVALID_SCHEMA, ENDPOINT_LIMIT_REACHED, or CHANGED_MEANWHILE if others keep adding endpoints. */
export async function addEndpoint(
  owner: WalletId,
  choice: EndpointChoice,
  deps: EndpointDependencies,
): Promise<EndpointWithSecret> {
  const checked = await withCheckedAddress(choice, deps);
  const masters = await deps.masters();
  const row = newEndpoint(owner, checked, currentMaster(masters), deps.nowMs());
  const added = { endpoint: row, secret: endpointSecret(row, row.secret, masters) };
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    // The condition fails if an endpoint is added after this.
    const count = await deps.endpoints.getCount(owner);
    const existing = await deps.endpoints.listEndpoints(owner);
    // The previous write was applied, but its response was lost.
    if (existing.some(({ id }) => id === row.id)) return added;
    if (existing.filter(({ state }) => state !== 'DELETED').length >= MOST_ENDPOINTS)
      throw new ServiceError('ENDPOINT_LIMIT_REACHED');
    if (existing.length >= MOST_WITH_DELETED)
      throw new ServiceError('ENDPOINT_LIMIT_REACHED', { message: TOO_MANY_DELETED });
    if (await deps.endpoints.insertEndpoint(row, count)) return added;
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}

interface EndpointChange extends EndpointChoice {
  /**
   * @default unchanged
   */
  readonly isEnabled?: boolean;
}

/**
 * An unchanged address is not checked again, so that an endpoint whose server no longer exists can be disabled. A
 * pending delivery to a disabled endpoint is cancelled when its message is next received. Throws CHANGED_MEANWHILE if
 * others keep changing it.
 */
export async function updateEndpoint(
  owner: WalletId,
  id: string,
  { isEnabled, ...choice }: EndpointChange,
  deps: EndpointDependencies,
): Promise<Endpoint> {
  const { url } = await requiredEndpoint(owner, id, deps.endpoints);
  const checked = url === choice.url ? choice : await withCheckedAddress(choice, deps);
  const changed = (row: Endpoint) => {
    const isSwitched = isEnabled !== undefined && isEnabled !== (row.state === 'ENABLED');
    return changedEndpoint(isSwitched ? switchedEndpoint(row, isEnabled) : row, checked);
  };
  return change(owner, id, changed, deps);
}

/** The row is kept for another 30 days, until all deliveries have expired. */
export function deleteEndpoint(owner: WalletId, id: string, deps: EndpointDependencies): Promise<Endpoint> {
  const expiresAt = expiryOf(deps.nowMs());
  return change(owner, id, (row) => ({ ...row, state: 'DELETED', expiresAt }), deps);
}

/**
 * The old secret also signs for 24 hours. Concurrent or repeated rotations create only one secret: with two, the old
 * one would no longer sign.
 */
export async function rotateSecret(
  owner: WalletId,
  id: string,
  deps: EndpointDependencies,
): Promise<EndpointWithSecret> {
  const masters = await deps.masters();
  const { secret } = await requiredEndpoint(owner, id, deps.endpoints);
  const rotated = (before: Endpoint) =>
    before.secret.version > secret.version
      ? before
      : rotatedEndpoint(before, currentMaster(masters), deps.nowMs());
  const row = await change(owner, id, rotated, deps);
  return { endpoint: row, secret: endpointSecret(row, row.secret, masters) };
}

/** Throws RESOURCE_NOT_FOUND for any other ID, including those of other organisations. */
export async function requiredEndpoint(
  owner: WalletId,
  id: string,
  endpoints: Pick<EndpointTable, 'getEndpoint'>,
): Promise<Endpoint> {
  const row = await endpoints.getEndpoint(owner, id);
  if (!row || row.state === 'DELETED') throw new ServiceError('RESOURCE_NOT_FOUND');
  return row;
}

function currentMaster(masters: Secret): string {
  return masterIdOf(currentPart('WEBHOOKS', masters));
}

async function change(
  owner: WalletId,
  id: string,
  changed: (row: Endpoint) => Endpoint,
  { endpoints }: EndpointDependencies,
): Promise<Endpoint> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const before = await requiredEndpoint(owner, id, endpoints);
    const after = changed(before);
    if (after === before) return before;
    if (await endpoints.changeEndpoint(before, after)) return { ...after, version: before.version + 1 };
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}

async function withCheckedAddress(
  choice: EndpointChoice,
  { rules }: EndpointDependencies,
): Promise<EndpointChoice> {
  if (choice.eventTypes.length === 0)
    throw invalidSchema('wrong_value', 'event_types', 'No event is chosen.', 'Choose at least one event.');
  const url = await checkAddress(choice.url, rules);
  if (typeof url === 'string') throw invalidSchema('wrong_value', 'url', 'The address cannot be used.', url);
  return { ...choice, url: url.href };
}
