import type { Environment } from '../core/environment.ts';
import { type ApiKey, hashOf, isUsable, newApiKeyText } from './api-key.ts';
import type { ApiKeyTable } from './api-key-table.ts';

/** What the operator does with API keys. Refusals are `Error`s whose sentence is meant for the operator. */

export interface NewApiKey {
  readonly organisationId: string;
  readonly env: Environment;
  readonly label: string;
  /** ISO time after which the key is rejected. */
  readonly notAfter?: string;
  /** What the key may do. @default everything */
  readonly scopes?: string[];
  /** Addresses and networks that its requests may come from. @default anywhere */
  readonly addressRanges?: string[];
}

/** At most two active keys per label and environment: the old and the new key of a rotation. */
const MAX_LIVE_PER_LABEL = 2;

/** How long a live key works unless the operator says otherwise. A leaked key then stops working even if the leak is not noticed. */
const LIVE_KEY_DAYS = 365;

/** Returns when a new key expires (ISO time). Undefined for a test key, and for a live key that shall never expire. */
export function expiryOf(env: Environment, wanted: string | undefined, now: Date): string | undefined {
  if (wanted === 'never') return undefined;
  if (wanted !== undefined || env === 'test') return wanted;
  return new Date(now.getTime() + LIVE_KEY_DAYS * 24 * 3600_000).toISOString();
}

/** Creates a key. Returns its text, which is shown once and not stored. */
export async function createApiKey(
  table: ApiKeyTable,
  wanted: NewApiKey,
  now: Date,
): Promise<{ text: string; row: ApiKey }> {
  const alive = (await keysOfLabel(table, wanted)).filter((key) => isUsable(key, now.getTime()));
  if (alive.length >= MAX_LIVE_PER_LABEL)
    throw new Error(
      `Two ${wanted.env} keys with the label "${wanted.label}" are already active. Revoke one of them first.`,
    );
  const text = newApiKeyText(wanted.env, wanted.organisationId);
  const row: ApiKey = {
    ...wanted,
    hash: hashOf(text),
    status: 'ACTIVE',
    lastFour: text.slice(-4),
    createdAt: now.toISOString(),
  };
  if (!(await table.insertApiKey(row)))
    throw new Error('The generated key already exists. Run the command again.');
  return { text, row };
}

/**
 * Makes a new key of the same label and limits, and lets the old one work for `graceSeconds` more. The new key lives as long as
 * the old one was made for: a key of 90 days is followed by one of 90 days.
 */
export async function rotateApiKey(
  table: ApiKeyTable,
  key: ApiKey,
  graceSeconds: number,
  now: Date,
): Promise<{ text: string; row: ApiKey }> {
  const end = new Date(now.getTime() + graceSeconds * 1000).toISOString();
  const { organisationId, env, label, notAfter, createdAt, scopes, addressRanges } = key;
  const lifeMs = notAfter === undefined ? undefined : Date.parse(notAfter) - Date.parse(createdAt);
  const expiry = lifeMs === undefined ? {} : { notAfter: new Date(now.getTime() + lifeMs).toISOString() };
  const limits = { ...(scopes && { scopes }), ...(addressRanges && { addressRanges }) };
  const made = await createApiKey(table, { organisationId, env, label, ...expiry, ...limits }, now);
  const earlier = notAfter !== undefined && notAfter < end;
  if (!earlier && !(await table.expireApiKey(key, end)))
    throw new Error('The key to rotate no longer exists.');
  return made;
}

/** The keys with this label, or whose hash begins with `name` (at least 8 characters). */
export async function findApiKeys(
  table: ApiKeyTable,
  organisationId: string,
  name: string,
): Promise<ApiKey[]> {
  const keys = await table.listApiKeys(organisationId);
  return keys.filter((key) => key.label === name || (name.length >= 8 && key.hash.startsWith(name)));
}

async function keysOfLabel(table: ApiKeyTable, wanted: NewApiKey): Promise<ApiKey[]> {
  const keys = await table.listApiKeys(wanted.organisationId);
  return keys.filter((key) => key.label === wanted.label && key.env === wanted.env);
}
