import type { Organisation } from '../../accounts/organisation.ts';
import type { Clock } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import { readBalance } from '../../ledger/read-balance.ts';
import { type BookingTables, creditWithLot } from '../lots/credit-with-lot.ts';
import type { TestCreditsView } from './views.ts';

const REASON = 'Daily test credits';

/**
 * Adds free credits to the test wallet, at most once a day (UTC). The reference of the credit names the organisation
 * and the day, so concurrent requests add the credits only once. Throws TEST_CREDITS_TAKEN if the day's credits have
 * already been added.
 */
export async function takeTestCredits(
  { id, walletShards }: Pick<Organisation, 'id' | 'walletShards'>,
  { credits, actor }: { readonly credits: number; readonly actor: string },
  tables: BookingTables,
  clock: Clock,
): Promise<TestCreditsView> {
  const wallet = { env: 'test', organisationId: id } as const;
  const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
  const reference = `test-${id}-${day}`;
  // Also finds a credit of a different amount, if the setting has changed since.
  if (await tables.credits.getCredit(wallet, reference)) throw new ServiceError('TEST_CREDITS_TAKEN');
  const order = { reference, kind: 'TOP_UP', amount: credits, actor, reason: REASON } as const;
  const { existed } = await creditWithLot(wallet, walletShards, order, tables, clock);
  if (existed) throw new ServiceError('TEST_CREDITS_TAKEN');
  const balance = await readBalance(wallet, walletShards, tables.shards, clock);
  return { added: credits, available: balance?.available ?? credits };
}
