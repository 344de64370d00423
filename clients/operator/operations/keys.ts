import { type ApiKey, isUsable, readApiKeyText } from '../../../shared/accounts/api-key.ts';
import type { ApiKeyTable } from '../../../shared/accounts/api-key-table.ts';
import {
  createApiKey,
  findApiKeys,
  type NewApiKey,
  rotateApiKey,
} from '../../../shared/accounts/manage-api-key.ts';
import type { OrganisationTable } from '../../../shared/accounts/organisation-table.ts';
import type { Environment } from '../../../shared/core/environment.ts';
import type { LedgerTools } from '../../../shared/ledger/dependencies.ts';
import { requireOrganisation } from './organisations.ts';

/** Hash characters that name a key in words for people. */
export const SHORT_HASH = 12;

export function keyOperations(organisations: OrganisationTable, keys: ApiKeyTable, tools: LedgerTools) {
  const now = () => new Date(tools.nowMs());
  return {
    /** Makes a key. `text` is the key itself: nothing can show it again. */
    async createKey(wanted: NewApiKey): Promise<{ text: string; row: ApiKey }> {
      await requireOrganisation(organisations, wanted.organisationId);
      return createApiKey(keys, wanted, now());
    },
    /** The one working key that a label, a hash, its first characters, or the key's own text names. */
    async findKey(organisationId: string, name: string, env?: Environment): Promise<ApiKey> {
      await requireOrganisation(organisations, organisationId);
      const found = await findApiKeys(keys, organisationId, hashInstead(name));
      const wanted = found.filter((key) => env === undefined || key.env === env);
      const [working, ...others] = wanted.filter((key) => isUsable(key, tools.nowMs()));
      if (!working && wanted.length > 0) throw new Error('The key is revoked or expired already.');
      if (!working) throw new Error(`There is no such key in the organisation ${organisationId}.`);
      if (others.length > 0)
        throw new Error(
          `The name fits several keys: ${[working, ...others].map(inWords).join(', ')}. Use a hash.`,
        );
      return working;
    },
    /** Makes a new key of the same label; the old one works for `graceSeconds` more. */
    rotateKey: (key: ApiKey, graceSeconds: number) => rotateApiKey(keys, key, graceSeconds, now()),
    /** The next request with this key is refused. */
    async revokeKey(key: ApiKey): Promise<void> {
      if (!(await keys.revokeApiKey(key))) throw new Error('The key to revoke is gone.');
    },
    /** All keys, also those that work no more, oldest first. */
    async listKeys(organisationId: string): Promise<ApiKey[]> {
      await requireOrganisation(organisations, organisationId);
      const rows = await keys.listApiKeys(organisationId);
      return rows.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },
  };
}

function inWords({ hash, env, lastFour, createdAt }: ApiKey): string {
  return `${hash.slice(0, SHORT_HASH)} (${env}, ends in ${lastFour}, made ${createdAt.slice(0, 10)})`;
}

/** Who finds a leaked key has only its text. It must not come back in an error, so it becomes its hash here. */
function hashInstead(name: string): string {
  if (!name.startsWith('idv_')) return name;
  const key = readApiKeyText(name);
  if (!key) throw new Error('This looks like an API key, but it is none: its form or checksum is wrong.');
  return key.hash;
}
