import type { AccessProfile } from './access-profiles.ts';

/**
 * Reads what the public status page shows: the histories of providers and the daily counts of registries. They name
 * no customer.
 */
export const showStatus: AccessProfile = {
  tables: [
    { table: 'ApiKeys', actions: ['Query'], leadingKeys: ['REGISTRY#*'] },
    { table: 'Console', actions: ['Query'], leadingKeys: ['REGISTRY#*'] },
  ],
  settings: ['REGISTRIES', 'CONSOLE_URL'],
};
