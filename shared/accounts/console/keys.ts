import type { Recorder } from '../../audit/recorder.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import type { InputSchema, NoInput } from '../../http/console/middleware/json-body.ts';
import { pathId } from '../../http/console/path-id.ts';
import type { SendMail } from '../../members/mail.ts';
import { type MemberNames, type MemberReads, memberNames } from '../../members/member-names.ts';
import { memberTable } from '../../members/member-table.ts';
import type { ConsoleRun } from '../../members/middleware/console-route.ts';
import type { ConsoleRequest, Prefetch } from '../../members/middleware/member-request.ts';
import { notifyOwners } from '../../members/middleware/notify-owners.ts';
import { requireEnvironmentRole } from '../../members/role.ts';
import type { ApiKey } from '../api-key.ts';
import { type ApiKeyTable, apiKeyTable } from '../api-key-table.ts';
import { type KeyUsageTable, keyUsageTable } from '../key-usage-table.ts';
import {
  type CreatedKey,
  createApiKey,
  editApiKey,
  editText,
  expiryAfterDays,
  rotateApiKey,
} from '../manage-api-key.ts';
import type { createKeyBody, rotateKeyBody, updateKeyBody } from './bodies.ts';
import { requireApproval } from './key-rules.ts';
import { keysView, keyView, keyWithId } from './key-views.ts';
import { readUseOfKeys } from './use-of-keys.ts';
import type { KeysView, KeyView, NewKeyView } from './views.ts';

export interface KeyDependencies {
  readonly keys: (recorder?: Recorder) => ApiKeyTable;
  readonly usage: Pick<KeyUsageTable, 'readKeyUsage'>;
  readonly members: MemberReads;
}

/** Creates the tables that the key routes use. Called once per instance. */
export function keyDependencies(): KeyDependencies {
  const client = database();
  const tableName = setting('API_KEYS_TABLE');
  return {
    keys: (recorder) => apiKeyTable(client, tableName, recorder),
    usage: keyUsageTable(client, tableName),
    members: memberTable(client, setting('CONSOLE_TABLE')),
  };
}

/** The data that all routes for existing keys read while the session is checked. */
export interface KeyReads {
  readonly keys: readonly ApiKey[];
  readonly names: MemberNames;
}

/** Reads the organisation's keys and the names of its members. */
export function readKeys({ keys, members }: KeyDependencies): Prefetch<KeyReads> {
  return async (organisationId) => {
    const [rows, people] = await Promise.all([
      keys().listApiKeys(organisationId),
      members.listMembers(organisationId),
    ]);
    return { keys: rows, names: memberNames(people) };
  };
}

type Run<S extends InputSchema, T = KeyReads> = ConsoleRun<ConsoleRequest, S, T>;
/** GET /keys: all keys of both environments, each with its last use. */
export function listKeys({ usage }: KeyDependencies): Run<NoInput> {
  return async ({ nowMs }, _, { keys, names }) => {
    const used = await readUseOfKeys(keys, usage, nowMs);
    return { data: keysView(keys, used, names, nowMs) satisfies KeysView };
  };
}

/** POST /keys: creates a key. Only this response contains its text. */
export function createKey(deps: KeyDependencies, sendMail: SendMail): Run<typeof createKeyBody, undefined> {
  return async (request, { env, label, scopes, addresses, expires_in_days: days }) => {
    const { nowMs, person, membership, organisation, recorder } = request;
    requireEnvironmentRole(membership.role, env);
    requireApproval(organisation, env);
    if (env === 'live') request.requireRecentSignIn();
    const now = new Date(nowMs);
    const wanted = {
      organisationId: organisation.id,
      env,
      label,
      createdBy: person.id,
      ...(days !== null && { notAfter: expiryAfterDays(days, now) }),
      ...(scopes && { scopes: [...new Set(scopes)] }),
      ...(addresses && { addressRanges: [...new Set(addresses)] }),
    };
    const countMail = env === 'live' ? () => request.countMail('notice') : undefined;
    const created = await createApiKey(deps.keys(recorder), wanted, now, countMail);
    if (env === 'live')
      await notifyOwners(request, organisation.id, `the live API key "${label}" was created`, {
        ...deps,
        sendMail,
      });
    return { data: newKeyView(created, request) };
  };
}

/** PUT /keys/{id}: changes the label and the limits of a key, with effect from the next request. */
export function updateKey(deps: KeyDependencies, sendMail: SendMail): Run<typeof updateKeyBody> {
  return async (request, { label, scopes, addresses }, { keys, names }) => {
    const key = changeableKey(request, keys);
    const { nowMs, recorder, organisation } = request;
    const change = {
      label,
      scopes: scopes && [...new Set(scopes)],
      addressRanges: addresses && [...new Set(addresses)],
    };
    const countMail = () => request.countMail('notice');
    const { before, after } = await editApiKey(deps.keys(recorder), key, change, new Date(nowMs), countMail);
    if (after?.env === 'live')
      await notifyOwners(request, organisation.id, editText(before, after), { ...deps, sendMail });
    const used = await deps.usage.readKeyUsage([key.hash], nowMs);
    return { data: keyView(after ?? before, used.get(key.hash), names, nowMs) satisfies KeyView };
  };
}

/** POST /keys/{id}/rotate: creates the successor of a key. Only this response contains its text. */
export function rotateKey(deps: KeyDependencies, sendMail: SendMail): Run<typeof rotateKeyBody> {
  return async (request, { grace_hours: hours }, { keys }) => {
    const key = changeableKey(request, keys);
    const { nowMs, person, recorder, organisation } = request;
    const countMail = key.env === 'live' ? () => request.countMail('notice') : undefined;
    const now = new Date(nowMs);
    const created = await rotateApiKey(deps.keys(recorder), key, hours * 3600, now, person.id, countMail);
    if (key.env === 'live')
      await notifyOwners(request, organisation.id, `the live API key "${key.label}" was replaced`, {
        ...deps,
        sendMail,
      });
    return { data: newKeyView(created, request) };
  };
}

/**
 * POST /keys/{id}/revoke: permanently revokes a key. The next request with it is rejected. A leaked key can always be
 * revoked, beyond the limit of emails without one.
 */
export function revokeKey(deps: KeyDependencies, sendMail: SendMail): Run<NoInput> {
  return async (request, _, { keys, names }) => {
    const key = changeableKey(request, keys);
    const { nowMs, recorder, organisation } = request;
    const [isRevoked, used] = await Promise.all([
      deps.keys(recorder).revokeApiKey(key),
      deps.usage.readKeyUsage([key.hash], nowMs),
    ]);
    if (!isRevoked) throw new ServiceError('KEY_NOT_ACTIVE');
    if (key.env === 'live')
      await notifyOwners(request, organisation.id, `the live API key "${key.label}" was revoked`, {
        ...deps,
        sendMail,
        countMail: () => request.countMail('notice'),
      });
    const revoked = { ...key, status: 'REVOKED' } as const;
    return { data: keyView(revoked, used.get(key.hash), names, nowMs) satisfies KeyView };
  };
}

/**
 * Returns the key in the path. Throws if it does not belong to the organisation, or if the member may not change it.
 */
function changeableKey(request: ConsoleRequest, keys: readonly ApiKey[]): ApiKey {
  const key = keyWithId(keys, pathId(request.event));
  if (!key) throw new ServiceError('RESOURCE_NOT_FOUND');
  requireEnvironmentRole(request.membership.role, key.env);
  if (key.env === 'live') request.requireRecentSignIn();
  return key;
}

function newKeyView({ text, row }: CreatedKey, { person, nowMs }: ConsoleRequest): NewKeyView {
  const names = new Map([[person.id, person.name || person.email]]);
  return { key: keyView(row, undefined, names, nowMs), text };
}
