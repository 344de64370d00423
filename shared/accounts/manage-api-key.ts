import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '../core/clock.ts';
import type { Environment } from '../core/environment.ts';
import { ServiceError } from '../core/errors.ts';
import { type ApiKey, hashOf, isUsable, newApiKeyText } from './api-key.ts';
import { type ApiKeys, type ApiKeyTable, type EditableKey, editablePart } from './api-key-table.ts';

/** What operators and, in the console, members can do with API keys. Error messages are meant for both. */

export interface NewApiKey {
  readonly organisationId: string;
  readonly env: Environment;
  readonly label: string;
  /** The ID of the member who creates the key. @default an operator creates it */
  readonly createdBy?: string;
  readonly notAfter?: string | undefined;
  readonly scopes?: string[] | undefined;
  /** Addresses and networks that its requests may come from. @default anywhere */
  readonly addressRanges?: string[] | undefined;
}

export interface CreatedKey {
  readonly text: string;
  readonly row: ApiKey;
}

/** At most two active keys per label and environment: the old and the new key of a rotation. */
export const MAX_ACTIVE_PER_LABEL = 2;
/** The maximum number of active keys of an organisation in one environment. */
export const MAX_ACTIVE = 50;
/**
 * The limit includes revoked keys, because they are never deleted and the console's Home and Keys pages read them all.
 * Even a daily rotation of every key needs fewer.
 */
export const MAX_CREATED_PER_DAY = 100;
const TOO_MANY_CREATED = `The organisation has created ${MAX_CREATED_PER_DAY} keys within 24 hours in this environment, which is the limit. Try again tomorrow.`;
/** Each key's log rows are found by its earlier labels, and a row of any size would be read with each request. */
export const MAX_FORMER_LABELS = 50;
const TOO_MANY_LABELS = `This key has had ${MAX_FORMER_LABELS} other labels, which is the limit. Keep this one, or create another key.`;
/** How many times a change is tried if other keys of the organisation are created at the same time. */
const MAX_ATTEMPTS = 5;

/**
 * The number of days for which a live key works, unless its creator sets a different expiry. A leaked key therefore
 * stops working even if nobody notices the leak.
 */
const LIVE_KEY_DAYS = 365;

/** Returns when a new key expires (ISO time). Undefined if it never does, which is the default for test keys. */
export function expiryOf(env: Environment, wanted: string | undefined, now: Date): string | undefined {
  if (wanted === 'never') return undefined;
  if (wanted !== undefined || env === 'test') return wanted;
  return expiryAfterDays(LIVE_KEY_DAYS, now);
}

export function expiryAfterDays(days: number, now: Date): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString();
}

type BeforeChange = () => Promise<void>;
const nothing: BeforeChange = async () => undefined;

/**
 * Creates a key. Throws LABEL_TAKEN, KEY_LIMIT_REACHED or CHANGED_MEANWHILE. `beforeChange` may throw to prevent the
 * change.
 */
export function createApiKey(
  table: ApiKeyTable,
  wanted: NewApiKey,
  now: Date,
  beforeChange = nothing,
): Promise<CreatedKey> {
  return withKeys(table, wanted.organisationId, async (all) => {
    checkLimits(all, wanted, now);
    await beforeChange();
    const created = newKey(wanted, now);
    return (await table.insertApiKey(created.row, all.count)) && created;
  });
}

/**
 * Creates a new key with the same label and limits, and lets the old one work for at most `graceSeconds` more. The new
 * key has the same lifetime as the old one, such as 90 days. Throws KEY_NOT_ACTIVE if the key is not usable or was
 * replaced, and what `createApiKey` throws.
 */
export function rotateApiKey(
  table: ApiKeyTable,
  key: ApiKey,
  graceSeconds: number,
  now: Date,
  createdBy?: string,
  beforeChange = nothing,
): Promise<CreatedKey> {
  return withKeys(table, key.organisationId, async (all) => {
    const old = all.keys.find(({ hash }) => hash === key.hash);
    if (!old || !isUsable(old, now.getTime())) throw new ServiceError('KEY_NOT_ACTIVE');
    if (old.replacedAt !== undefined)
      throw new ServiceError('KEY_NOT_ACTIVE', { message: 'A rotation has already replaced this key.' });
    const wanted = successorOf(old, now, createdBy);
    checkLimits(all, wanted, now);
    await beforeChange();
    const created = newKey(wanted, now);
    const graceEnd = new Date(now.getTime() + graceSeconds * 1000).toISOString();
    // A grace period does not extend the life of a key.
    const notAfter = old.notAfter !== undefined && old.notAfter < graceEnd ? old.notAfter : graceEnd;
    const end = { notAfter, replacedAt: now.toISOString() };
    return (await table.replaceApiKey(old, end, created.row, all.count)) && created;
  });
}

/** A change of a key. What is undefined stays, and null removes a limit. */
export interface KeyChange {
  readonly label?: string | undefined;
  readonly scopes?: string[] | null | undefined;
  readonly addressRanges?: string[] | null | undefined;
}

export interface EditedKey {
  readonly before: ApiKey;
  /** Absent if this was no change. */
  readonly after?: ApiKey;
}

/**
 * Changes the label and the limits of a key, with effect from the next request. Throws KEY_NOT_ACTIVE if the key is
 * not usable, KEY_LIMIT_REACHED if it was renamed too often, LABEL_TAKEN and CHANGED_MEANWHILE. `beforeChange` may
 * throw to prevent the change, and is not called if nothing changes.
 */
export function editApiKey(
  table: ApiKeyTable,
  { organisationId, hash }: Pick<ApiKey, 'organisationId' | 'hash'>,
  { label, scopes, addressRanges }: KeyChange,
  now: Date,
  beforeChange = nothing,
): Promise<EditedKey> {
  return withKeys(table, organisationId, async ({ keys, count }) => {
    const before = keys.find((key) => key.hash === hash);
    if (!before || !isUsable(before, now.getTime())) throw new ServiceError('KEY_NOT_ACTIVE');
    const wanted = {
      label: label ?? before.label,
      scopes: scopes === undefined ? before.scopes : (scopes ?? undefined),
      addressRanges: addressRanges === undefined ? before.addressRanges : (addressRanges ?? undefined),
    };
    if (isDeepStrictEqual(wanted, editablePart(before))) return { before };
    const others = keys.filter((key) => key !== before);
    if (wanted.label !== before.label) {
      checkLabel(others, { ...before, ...wanted }, now);
      const { label: earlier, formerLabels = [] } = before;
      if (formerLabels.length >= MAX_FORMER_LABELS && !formerLabels.includes(earlier))
        throw new ServiceError('KEY_LIMIT_REACHED', { message: TOO_MANY_LABELS });
    }
    await beforeChange();
    return (await table.updateApiKey(before, wanted, count)) && { before, after: { ...before, ...wanted } };
  });
}

/** Says which parts of a live key were changed, for the email to the owners. */
export function editText(before: ApiKey, after: ApiKey): string {
  const isSame = (part: keyof EditableKey) => isDeepStrictEqual(before[part], after[part]);
  const parts = [
    ...(isSame('label') ? [] : [`label (now "${after.label}")`]),
    ...(isSame('scopes') ? [] : ['scopes']),
    ...(isSame('addressRanges') ? [] : ['IP addresses']),
  ];
  const list = new Intl.ListFormat('en-GB').format(parts);
  return `the live API key "${before.label}" was changed: its ${list}`;
}

/** Returns the keys whose label is `name`, or whose hash begins with `name` if it has at least 8 characters. */
export async function findApiKeys(
  table: ApiKeyTable,
  organisationId: string,
  name: string,
): Promise<ApiKey[]> {
  const keys = await table.listApiKeys(organisationId);
  return keys.filter((key) => key.label === name || (name.length >= 8 && key.hash.startsWith(name)));
}

/** Reads the keys of an organisation and tries a change, up to five times if other changes interfere. */
async function withKeys<T>(
  table: ApiKeyTable,
  organisationId: string,
  change: (all: ApiKeys) => Promise<T | false>,
): Promise<T> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const result = await change(await table.readApiKeys(organisationId));
    if (result !== false) return result;
  }
  throw new ServiceError('CHANGED_MEANWHILE', {
    message: 'Other keys of the organisation are being created or edited at the same time. Try again.',
  });
}

/** Keys of the other environment do not count: nobody who may create test keys alone can prevent a new live key. */
function checkLimits({ keys: all }: ApiKeys, { env, label }: NewApiKey, now: Date): void {
  const keys = all.filter((key) => key.env === env);
  const active = keys.filter((key) => isUsable(key, now.getTime()));
  checkLabel(active, { env, label }, now);
  if (active.length >= MAX_ACTIVE) throw new ServiceError('KEY_LIMIT_REACHED');
  const dayAgo = new Date(now.getTime() - DAY_MS).toISOString();
  if (keys.filter(({ createdAt }) => createdAt > dayAgo).length >= MAX_CREATED_PER_DAY)
    throw new ServiceError('KEY_LIMIT_REACHED', { message: TOO_MANY_CREATED });
}

function checkLabel(keys: readonly ApiKey[], { env, label }: Pick<ApiKey, 'env' | 'label'>, now: Date): void {
  const isSame = (key: ApiKey) => key.env === env && key.label === label && isUsable(key, now.getTime());
  if (keys.filter(isSame).length >= MAX_ACTIVE_PER_LABEL)
    throw new ServiceError('LABEL_TAKEN', {
      message: `Two ${env} keys with the label "${label}" are already active. Revoke one of them first.`,
    });
}

function newKey(wanted: NewApiKey, now: Date): CreatedKey {
  const text = newApiKeyText(wanted.env, wanted.organisationId);
  const row: ApiKey = {
    ...wanted,
    hash: hashOf(text),
    status: 'ACTIVE',
    lastFour: text.slice(-4),
    createdAt: now.toISOString(),
  };
  return { text, row };
}

function successorOf(old: ApiKey, now: Date, createdBy: string | undefined): NewApiKey {
  const { organisationId, env, label, notAfter, createdAt, scopes, addressRanges } = old;
  const lifeMs = notAfter === undefined ? undefined : Date.parse(notAfter) - Date.parse(createdAt);
  return {
    organisationId,
    env,
    label,
    ...(createdBy !== undefined && { createdBy }),
    ...(lifeMs !== undefined && { notAfter: new Date(now.getTime() + lifeMs).toISOString() }),
    ...(scopes && { scopes }),
    ...(addressRanges && { addressRanges }),
  };
}
