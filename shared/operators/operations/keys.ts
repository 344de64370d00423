import { type ApiKey, isUsable, readApiKeyText } from '../../accounts/api-key.ts';
import { apiKeyTable, SHORT_HASH } from '../../accounts/api-key-table.ts';
import { keyUsageTable } from '../../accounts/key-usage-table.ts';
import {
  createApiKey,
  editApiKey,
  findApiKeys,
  type KeyChange,
  type NewApiKey,
  rotateApiKey,
} from '../../accounts/manage-api-key.ts';
import type { Environment } from '../../core/environment.ts';
import { notPossible } from '../../core/not-possible.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';

/** API keys. */
export function keysOf(place: Workplace) {
  const { deployment, recorder, clock } = place;
  const { client, tables } = deployment;
  const organisations = organisationsIn(place);
  const keys = apiKeyTable(client, tables.apiKeys, recorder);
  const usage = keyUsageTable(client, tables.apiKeys);
  const now = () => new Date(clock.nowMs());
  return {
    /** Creates a key. `text` is the key itself, which is not stored. */
    async createKey(wanted: NewApiKey): Promise<{ text: string; row: ApiKey }> {
      await requireOrganisation(organisations, wanted.organisationId);
      return createApiKey(keys, wanted, now());
    },
    /**
     * Returns the active key that `name` identifies: a label, a hash, the start of a hash, or the key itself. Throws if
     * no active key matches, or if several do.
     */
    async findKey(organisationId: string, name: string, env?: Environment): Promise<ApiKey> {
      await requireOrganisation(organisations, organisationId);
      const found = await findApiKeys(keys, organisationId, hashOfText(name));
      const matching = found.filter((key) => env === undefined || key.env === env);
      const [active, ...others] = matching.filter((key) => isUsable(key, clock.nowMs()));
      if (!active && matching.length > 0)
        throw notPossible('No active key matches. `key list` shows which keys are revoked or expired.');
      if (!active)
        throw notPossible(
          `No key of organisation ${organisationId} matches. \`key list\` shows labels and hashes.`,
        );
      if (others.length > 0)
        throw notPossible(
          `Several active keys match: ${[active, ...others].map(describeKey).join(', ')}. Pass one of these hashes.`,
        );
      return active;
    },
    /** Creates a key with the same label and limits. The old key works for `graceSeconds`, or until it expires. */
    rotateKey: (key: ApiKey, graceSeconds: number) => rotateApiKey(keys, key, graceSeconds, now()),
    editKey: (key: ApiKey, change: KeyChange) => editApiKey(keys, key, change, now()),
    /** Revokes a key, with effect from the next request. */
    async revokeKey(key: ApiKey): Promise<void> {
      if (!(await keys.revokeApiKey(key)))
        throw notPossible('The key is already revoked. `key list` shows the keys of an organisation.');
    },
    /** Returns, by key hash, when and from where each key was last used. */
    keyUsage: (rows: readonly ApiKey[]) =>
      usage.readKeyUsage(
        rows.map(({ hash }) => hash),
        clock.nowMs(),
      ),
    async listKeys(organisationId: string): Promise<ApiKey[]> {
      await requireOrganisation(organisations, organisationId);
      const rows = await keys.listApiKeys(organisationId);
      return rows.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },
  };
}

function describeKey({ hash, env, lastFour, createdAt }: ApiKey): string {
  return `${hash.slice(0, SHORT_HASH)} (${env}, ends in ${lastFour}, created ${createdAt.slice(0, 10)})`;
}

/** Replaces an API key with its hash, so that the key never appears in an error. Returns other names unchanged. */
export function hashOfText(name: string): string {
  if (!name.startsWith('idv_')) return name;
  const key = readApiKeyText(name);
  if (!key)
    throw notPossible(
      'This is not a valid API key: its format or checksum is wrong. Check for a typing error.',
    );
  return key.hash;
}
