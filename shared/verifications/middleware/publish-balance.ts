import { caller } from '../../accounts/middleware/caller.ts';
import { shardPk } from '../../core/keys.ts';
import type { RequestContext } from '../../http/context.ts';
import type { Operation } from '../../ledger/operation.ts';
import type { LookUpDependencies } from './dependencies.ts';
import type { CreditState } from './settle.ts';

/**
 * Starts the publisher when a request has changed what a wallet's events report. Other requests cause no call: the
 * balance is known from the reserve.
 */

type Dependencies = Pick<LookUpDependencies, 'publishSoon' | 'lowBalanceCredits' | 'memory' | 'clock'>;

/** After a charge with which the credits of a shard fell below its share of the threshold, or to 0. */
export async function publishCharged(
  requestContext: RequestContext,
  state: CreditState,
  { publishSoon, lowBalanceCredits, memory, clock }: Dependencies,
): Promise<void> {
  if (state.kind !== 'held' || state.operation.wallet.env !== 'live') return;
  const { wallet, cost } = state.operation;
  const { walletShards, lowBalanceCredits: own } = caller.of(requestContext).organisation;
  const available = memory.wallets.get(shardPk(wallet, 0))?.balances.get(state.hold.shard) ?? 0;
  const share = Math.ceil((own ?? lowBalanceCredits) / walletShards);
  const fellBelow = (credits: number) => available < credits && available + cost >= credits;
  if (fellBelow(share) || fellBelow(1)) await publishSoon({ wallet, atMs: clock.nowMs() });
}

/** After a request that the wallet could not pay, even if all holds were released. */
export async function publishShort(
  { wallet, cost }: Operation,
  { publishSoon, clock }: Dependencies,
): Promise<void> {
  if (wallet.env === 'live') await publishSoon({ wallet, atMs: clock.nowMs(), atMost: cost - 1 });
}
