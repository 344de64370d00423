import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { type Row, wasApplied } from '../../core/database.ts';
import { query, readPage, sendWrite, where } from '../../core/expressions.ts';
import { CHANGE_PREFIX, type ProviderKey, registryStateKey } from '../../core/keys.ts';
import { ALWAYS_CLOSED, type RegistryState } from '../breaker.ts';
import { changeOfRow, changeUpdate, type ProviderChange } from './provider-change.ts';
import { stateRow } from './registry-state.ts';

export interface ProviderHistory {
  readonly state: RegistryState;
  readonly changes: readonly ProviderChange[];
  /** Changes before this time were not read, because there are too many. 0 if all changes were read. */
  readonly readFromMs: number;
}

/** The changes of each provider, next to its state: `REGISTRY#<provider>#<env>#<ID type>` / `CHANGE#<time>#<state>`. */
export type ProviderHistoryTable = ReturnType<typeof providerHistoryTable>;

/** The maximum number of pages to read. A page holds up to 1 MB, which is about 5,000 changes. */
const MAX_PAGES = 4;

export function providerHistoryTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Stores a change, unless another change to the same state was stored within the same 10 s. */
    async addChange(key: ProviderKey, change: ProviderChange) {
      await wasApplied(sendWrite(client, changeUpdate(tableName, key, change)));
    },
    async readHistory(key: ProviderKey): Promise<ProviderHistory> {
      const keys = where`pk = ${registryStateKey(key).pk}`;
      // The state sorts after the changes, so it is read first.
      const input = query(tableName, keys, { ConsistentRead: false, ScanIndexForward: false });
      const rows: Row[] = [];
      let after: Row | undefined;
      for (let page = 0; page === 0 || (after && page < MAX_PAGES); page += 1) {
        const { Items = [], LastEvaluatedKey } = await readPage(client, {
          ...input,
          ExclusiveStartKey: after,
        });
        rows.push(...Items);
        after = LastEvaluatedKey;
      }
      const changes = rows.filter(({ sk }) => String(sk).startsWith(CHANGE_PREFIX)).map(changeOfRow);
      const state = rows.find(({ sk }) => sk === registryStateKey(key).sk);
      return {
        state: state ? v.parse(stateRow, state) : ALWAYS_CLOSED,
        changes,
        readFromMs: after ? (changes.at(-1)?.atMs ?? 0) : 0,
      };
    },
  };
}
