import type { WalletId } from './wallet.ts';

/**
 * The statement: what finance and the customer read. CHARGED rows and credit rows stand in the index `statement`
 * under `<env>#<org>#<yyyy-mm>#<nn>`, spread like the shards and merged on read.
 */
export function statementKey(wallet: WalletId, month: string, shard: number): string {
  return `${wallet.env}#${wallet.organisationId}#${month}#${String(shard).padStart(2, '0')}`;
}

/** The index attributes of a row: its month and shard, and its time with an id that makes it unique. */
export function statementKeys(wallet: WalletId, shard: number, time: string, id: string) {
  return {
    statementKey: statementKey(wallet, time.slice(0, 7), shard),
    statementSort: `${time}#${id}`,
  };
}
