import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { getRow } from '../../core/database.ts';
import { change, changeTo, update, where } from '../../core/expressions.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import type { Disabling } from '../breaker.ts';
import { changeUpdate } from './provider-change.ts';
import { stateRow } from './registry-state.ts';

export type ProviderSwitchTable = ReturnType<typeof providerSwitchTable>;

/** `recorder` records changes in the audit trail. */
export function providerSwitchTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  async function disabling(key: ProviderKey): Promise<Disabling | undefined> {
    const row = await getRow(client, tableName, registryStateKey(key));
    return v.parse(stateRow, row ?? {}).disabled;
  }

  const changeOf = ({ provider, env }: ProviderKey) => ({ target: `provider ${provider} (${env})` });

  return {
    async disable(key: ProviderKey, wanted: Disabling): Promise<Disabling | undefined> {
      const disabled = update(
        tableName,
        registryStateKey(key),
        changeTo({ disabled: wanted }),
        where`attribute_not_exists(disabled)`,
      );
      const after = { disabled: true, reason: wanted.reason };
      const record = recorder.record({ ...changeOf(key), before: { disabled: false }, after });
      const entry = { became: 'disabled', atMs: wanted.atMs, was: 'enabled', wasSinceMs: 0 } as const;
      const writes = [disabled, changeUpdate(tableName, key, entry)];
      return (await applyRecorded(client, writes, record)) ? undefined : disabling(key);
    },
    /** Enables a provider without changing its breaker. */
    async enable(key: ProviderKey, nowMs: number): Promise<Disabling | undefined> {
      const ended = await disabling(key);
      if (!ended) return undefined;
      const isSame = where`disabled = ${ended}`;
      const enabled = update(tableName, registryStateKey(key), change`REMOVE disabled`, isSame);
      const before = { disabled: true, reason: ended.reason };
      const record = recorder.record({ ...changeOf(key), before, after: { disabled: false } });
      const entry = { became: 'enabled', atMs: nowMs, was: 'disabled', wasSinceMs: ended.atMs } as const;
      const writes = [enabled, changeUpdate(tableName, key, entry)];
      return (await applyRecorded(client, writes, record)) ? ended : undefined;
    },
  };
}
