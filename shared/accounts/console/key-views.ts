import { type MemberNames, nameOfMember } from '../../members/member-names.ts';
import { KEY_SCOPES } from '../../verifications/key-scopes.ts';
import { type ApiKey, isUsable } from '../api-key.ts';
import { SHORT_HASH } from '../api-key-table.ts';
import type { KeyUsage } from '../key-usage.ts';
import type { KeysView, KeyView } from './views.ts';

/** Returns a key as members see it. `usage` is undefined if the key was never used. */
export function keyView(
  key: ApiKey,
  usage: Pick<KeyUsage, 'usedAtMs' | 'network'> | undefined,
  names: MemberNames,
  nowMs: number,
): KeyView {
  const { usedAtMs, network } = usage ?? {};
  return {
    id: idOfKey(key),
    env: key.env,
    label: key.label,
    ending: key.lastFour,
    status: statusOf(key, nowMs),
    created_at: key.createdAt,
    created_by: key.createdBy === undefined ? null : nameOfMember(names, key.createdBy),
    last_used_at: usedAtMs === undefined ? null : new Date(usedAtMs).toISOString(),
    last_network: network ?? null,
    expires_at: key.notAfter ?? null,
    scopes: key.scopes ?? null,
    addresses: key.addressRanges ?? null,
  };
}

/** Returns all keys, newest first, with the scopes that a key can have. */
export function keysView(
  keys: readonly ApiKey[],
  usage: ReadonlyMap<string, KeyUsage>,
  names: MemberNames,
  nowMs: number,
): KeysView {
  const newestFirst = keys.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return {
    keys: newestFirst.map((key) => keyView(key, usage.get(key.hash), names, nowMs)),
    scopes: KEY_SCOPES,
  };
}

/** Returns the key with this ID among the keys of the caller's organisation. Undefined if there is none. */
export function keyWithId(keys: readonly ApiKey[], id: string): ApiKey | undefined {
  return keys.find((key) => idOfKey(key) === id);
}

/** Returns the ID of a key in the console: the start of its hash, which does not reveal the key. */
function idOfKey({ hash }: ApiKey): string {
  return hash.slice(0, SHORT_HASH);
}

function statusOf(key: ApiKey, nowMs: number): KeyView['status'] {
  if (key.status === 'REVOKED') return 'revoked';
  if (!isUsable(key, nowMs)) return 'expired';
  return key.replacedAt === undefined ? 'active' : 'expiring';
}
