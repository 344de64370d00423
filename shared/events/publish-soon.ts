import * as v from 'valibot';
import { setting } from '../core/config.ts';
import { ENVIRONMENTS } from '../core/environment.ts';
import { invokeFunction } from '../core/invoke.ts';
import { walletName } from '../core/keys.ts';
import { errorFields, logger } from '../core/logger.ts';

/** The event with which a function starts `publish-events` for a wallet that has changed. */
export const walletChange = v.object({
  wallet: v.object({ env: v.picklist(ENVIRONMENTS), organisationId: v.string() }),
  /** When it was seen. Epoch milliseconds. */
  atMs: v.number(),
  /** The wallet had at most so many credits, held ones included. Published even if it has more by now. */
  atMost: v.optional(v.number()),
  /** The top-up that was credited. */
  reference: v.optional(v.string()),
});
export type WalletChange = v.InferOutput<typeof walletChange>;

export type PublishSoon = (change: WalletChange) => Promise<void>;

/** The caller waits for it. */
const TIMEOUT_MS = 1_000;
/** Between two rejected requests of a wallet on one instance that start the publisher. */
const INTERVAL_MS = 10_000;

/**
 * Starts `publish-events` for one wallet. Never rejects: without it, the next scheduled run publishes the change.
 */
export function publishSoon(invoke = invokeFunction): PublishSoon {
  const lastShort = new Map<string, number>();
  return async (change) => {
    const name = walletName(change.wallet);
    if (change.atMost !== undefined) {
      if (change.atMs - (lastShort.get(name) ?? 0) < INTERVAL_MS) return;
      lastShort.set(name, change.atMs);
    }
    try {
      await invoke(setting('EVENT_PUBLISHER'), change, TIMEOUT_MS);
    } catch (error) {
      logger.warn('publish-events was not started.', {
        organisation: change.wallet.organisationId,
        ...errorFields(error),
      });
    }
  };
}
