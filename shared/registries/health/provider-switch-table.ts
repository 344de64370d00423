import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded } from '../../audit/audit-table.ts';
import { NO_RECORD, type Recorder } from '../../audit/recorder.ts';
import { getRow } from '../../core/database.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import type { Disabling } from '../breaker.ts';
import { changeUpdate, type ProviderChange } from './provider-change.ts';
import { stateRow } from './registry-state.ts';

/**
 * The operator's switch of each provider. It is an attribute of the provider's shared state, which requests read
 * together with the account, so it needs no additional read. Each change is stored in the provider's history, in the
 * same transaction.
 */
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
  /** Returns the update that adds a change to the provider's history. */
  const addition = (key: ProviderKey, change: ProviderChange) => ({
    ...changeUpdate(tableName, key, change),
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  const changeOf = ({ provider, env }: ProviderKey) => ({ target: `provider ${provider} (${env})` });

  return {
    /** Disables a provider. If it is already disabled, changes nothing and returns the existing `Disabling`. */
    async disable(key: ProviderKey, wanted: Disabling): Promise<Disabling | undefined> {
      const update = {
        TableName: tableName,
        Key: registryStateKey(key),
        UpdateExpression: 'SET disabled = :disabling',
        ConditionExpression: 'attribute_not_exists(disabled)',
        ExpressionAttributeValues: { ':disabling': wanted },
      };
      const after = { disabled: true, reason: wanted.reason };
      const record = recorder.record({ ...changeOf(key), before: { disabled: false }, after });
      const change = { became: 'disabled', atMs: wanted.atMs, was: 'enabled', wasSinceMs: 0 } as const;
      const writes = [{ Update: update }, { Update: addition(key, change) }];
      return (await applyRecorded(client, writes, record)) ? undefined : disabling(key);
    },
    /** Enables a provider without changing its breaker. Returns the `Disabling` that this ended, if there was one. */
    async enable(key: ProviderKey, nowMs: number): Promise<Disabling | undefined> {
      const ended = await disabling(key);
      if (!ended) return undefined;
      const update = {
        TableName: tableName,
        Key: registryStateKey(key),
        UpdateExpression: 'REMOVE disabled',
        ConditionExpression: 'disabled = :disabling',
        ExpressionAttributeValues: { ':disabling': ended },
      };
      const before = { disabled: true, reason: ended.reason };
      const record = recorder.record({ ...changeOf(key), before, after: { disabled: false } });
      const change = {
        became: 'enabled',
        atMs: nowMs,
        was: 'disabled',
        wasSinceMs: ended.atMs,
      } as const;
      const writes = [{ Update: update }, { Update: addition(key, change) }];
      return (await applyRecorded(client, writes, record)) ? ended : undefined;
    },
  };
}
