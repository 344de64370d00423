import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { rowOfFailedCondition } from '../../core/database.ts';
import { type ProviderKey, registryStateKey } from '../../core/keys.ts';
import type { Disabling } from '../breaker.ts';
import { stateRow } from './registry-state.ts';

/**
 * The operator's switch of each provider. It is an attribute of the provider's shared state, which every request reads
 * together with the account, so it takes effect with the next request and costs no further read.
 */
export interface ProviderSwitchTable {
  /** Disables a provider. If it is disabled already, nothing changes, and the earlier disabling is returned. */
  disable(key: ProviderKey, disabling: Disabling): Promise<Disabling | undefined>;
  /** Enables a provider and leaves its breaker as it is. Returns the disabling that it ended, if there was one. */
  enable(key: ProviderKey): Promise<Disabling | undefined>;
}

export function providerSwitchTable(client: DynamoDBDocumentClient, tableName: string): ProviderSwitchTable {
  /** Returns how the provider was disabled before the update. An update whose condition fails changes nothing. */
  async function disabledBefore(key: ProviderKey, expressions: object): Promise<Disabling | undefined> {
    const update = new UpdateCommand({
      TableName: tableName,
      Key: registryStateKey(key),
      ...expressions,
      ReturnValues: 'ALL_OLD',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    const row = await client.send(update).then(
      ({ Attributes = {} }) => Attributes,
      (error: unknown) => {
        const existing = rowOfFailedCondition(error);
        if (!existing) throw error;
        return existing;
      },
    );
    return v.parse(stateRow, row).disabled;
  }

  return {
    disable: (key, disabling) =>
      disabledBefore(key, {
        UpdateExpression: 'SET disabled = :disabling',
        ConditionExpression: 'attribute_not_exists(disabled)',
        ExpressionAttributeValues: { ':disabling': disabling },
      }),
    enable: (key) =>
      disabledBefore(key, {
        UpdateExpression: 'REMOVE disabled',
        ConditionExpression: 'attribute_exists(disabled)',
      }),
  };
}
