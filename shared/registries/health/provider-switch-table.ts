import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { getRow } from '../../core/database.ts';
import { change, changeTo, type Expression, update, where } from '../../core/expressions.ts';
import { ID_TYPES } from '../../core/id-types.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import type { Disabling } from '../breaker.ts';
import { changeUpdate, type ProviderChange } from './provider-change.ts';
import { stateRow } from './registry-state.ts';

/**
 * Disables and enables a provider in the states of all ID types. The state of the first one tells who disabled it.
 */
export type ProviderSwitchTable = ReturnType<typeof providerSwitchTable>;

type SwitchKey = Omit<ProviderKey, 'idType'>;

/** `recorder` records changes in the audit trail. */
export function providerSwitchTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  recorder: Recorder = NO_RECORD,
) {
  const firstKey = (key: SwitchKey) => registryStateKey({ ...key, idType: ID_TYPES[0] });

  async function disabling(key: SwitchKey): Promise<Disabling | undefined> {
    const row = await getRow(client, tableName, firstKey(key));
    return v.parse(stateRow, row ?? {}).disabled;
  }

  const writesOf = (key: SwitchKey, changed: Expression, condition: Expression, entry: ProviderChange) =>
    ID_TYPES.flatMap((idType) => [
      update(tableName, registryStateKey({ ...key, idType }), changed, condition),
      changeUpdate(tableName, { ...key, idType }, entry),
    ]);

  const changeOf = ({ provider, env }: SwitchKey) => ({ target: `provider ${provider} (${env})` });

  return {
    async disable(key: SwitchKey, wanted: Disabling): Promise<Disabling | undefined> {
      const after = { disabled: true, reason: wanted.reason };
      const record = recorder.record({ ...changeOf(key), before: { disabled: false }, after });
      const entry = { became: 'disabled', atMs: wanted.atMs, was: 'enabled', wasSinceMs: 0 } as const;
      const isEnabled = where`attribute_not_exists(disabled)`;
      const writes = writesOf(key, changeTo({ disabled: wanted }), isEnabled, entry);
      return (await applyRecorded(client, writes, record)) ? undefined : disabling(key);
    },
    /** Enables a provider without changing its breaker. */
    async enable(key: SwitchKey, nowMs: number): Promise<Disabling | undefined> {
      const ended = await disabling(key);
      if (!ended) return undefined;
      const isSame = where`attribute_not_exists(disabled) OR disabled = ${ended}`;
      const before = { disabled: true, reason: ended.reason };
      const record = recorder.record({ ...changeOf(key), before, after: { disabled: false } });
      const entry = { became: 'enabled', atMs: nowMs, was: 'disabled', wasSinceMs: ended.atMs } as const;
      const writes = writesOf(key, change`REMOVE disabled`, isSame, entry);
      return (await applyRecorded(client, writes, record)) ? ended : undefined;
    },
  };
}
