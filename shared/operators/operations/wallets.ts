import { changeOrganisation } from '../../accounts/manage-organisation.ts';
import { MAX_WALLET_SHARDS, type Organisation } from '../../accounts/organisation.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import { readBalance } from '../../ledger/read-balance.ts';
import { type Credit, creditProblem, effectiveTimeProblem } from '../../ledger/rows/credit.ts';
import type { Balance } from '../../ledger/rows/wallet.ts';
import { creditTable } from '../../ledger/tables/credit-table.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import { checkCreditOrder, evenOut } from '../../ledger/top-up.ts';
import { type BookingTables, creditWithLot, type LotTerms } from '../../payments/lots/credit-with-lot.ts';
import { lotTable } from '../../payments/lots/lot-table.ts';
import type { TopUpOrder } from '../../payments/orders/order.ts';
import { isGeneratedReference } from '../../payments/orders/order-reference.ts';
import type { Workplace } from '../deployment.ts';
import type { OrderOf } from './approved-order.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';

/** Requests that began before a change to the organisation have ended. */
const OLD_REQUESTS_END_MS = 30_000;

/** Repeating the same `reference` does not book them twice. */
type CreditRequest = Pick<Credit, 'reference' | 'amount' | 'actor' | 'reason' | 'effectiveAt'>;

/**
 * Undefined if the service itself does not book under it. An operator's credit would otherwise be taken for its expiry,
 * refund or payment. A paid transfer may have its order's reference.
 */
function reservedProblem(reference: string, isPaid: boolean): string | undefined {
  if (/^(?:paystack|expiry|refund):/.test(reference))
    return 'The reference must not begin with paystack:, expiry: or refund:. The service itself uses these.';
  if (!isPaid && isGeneratedReference(reference))
    return 'This is the format of the references of orders. Use another reference.';
  return undefined;
}

/** Credits of wallets. */
export function walletsOf(place: Workplace) {
  const { deployment, recorder, clock } = place;
  const { client, tables: names } = deployment;
  const organisations = organisationsIn(place);
  const lots = lotTable(client, names.payments);
  const tables: BookingTables = {
    credits: creditTable(client, names, recorder),
    shards: shardTable(client, names.wallets),
    lots,
  };
  async function credit(
    wallet: WalletId,
    kind: Credit['kind'],
    request: CreditRequest,
    terms?: Pick<LotTerms, 'kind' | 'expiresAt'>,
  ) {
    const { walletShards } = await requireOrganisation(organisations, wallet.organisationId);
    // The shard does not exist if the creation of the organisation was interrupted.
    await tables.shards.createShard(wallet, 0);
    return creditWithLot(wallet, walletShards, { ...request, kind }, tables, clock, terms);
  }
  return {
    /** A promotional lot. `existed`: the reference had been used for this amount. */
    topUp: (wallet: WalletId, request: CreditRequest, expiresAt?: string) =>
      credit(wallet, 'TOP_UP', request, { kind: 'promotional', ...(expiresAt && { expiresAt }) }),
    /** A new row: earlier ones do not change. */
    correct: (wallet: WalletId, request: CreditRequest) => credit(wallet, 'CORRECTION', request),
    findCredit: (wallet: WalletId, reference: string) => tables.credits.getCredit(wallet, reference),
    /** Throws if what was booked under the reference differs. A time or bank reference is compared if it is stated. */
    async requireSameCredit(
      wallet: WalletId,
      { reference, reason, effectiveAt, expiresAt, bankReference }: OrderOf<'credit'>,
      { row, order }: { readonly row: Credit; readonly order?: TopUpOrder },
    ): Promise<void> {
      const isOther = (stated: string | undefined, stored?: string) =>
        stated !== undefined && stated !== stored;
      const lot = !order && row.lot !== undefined ? await lots.getLot(wallet, row.lot) : undefined;
      const differences = [
        ...(reason === row.reason ? [] : ['reason']),
        ...(isOther(effectiveAt, row.effectiveAt) ? ['effective time'] : []),
        ...(expiresAt === lot?.expiresAt ? [] : ['expiry']),
        ...(isOther(bankReference, order?.payment?.providerReference) ? ['bank reference'] : []),
      ];
      if (differences.length > 0)
        throw notPossible(
          `The reference ${reference} is already used for a credit with another ${differences.join(' and ')}. Nothing was changed. Use another reference only for another credit.`,
        );
    },
    /** For the operator. Undefined if valid. */
    problemOfCredit: (
      order: Pick<Credit, 'kind' | 'amount' | 'reference' | 'reason' | 'effectiveAt'>,
      isPaid: boolean,
    ) =>
      creditProblem(order) ??
      reservedProblem(order.reference, isPaid) ??
      effectiveTimeProblem(order, clock.nowMs()),
    /** So that no approval is requested for it. */
    async checkCredit(wallet: WalletId, order: Pick<Credit, 'kind' | 'amount' | 'reference'>): Promise<void> {
      const { walletShards } = await requireOrganisation(organisations, wallet.organisationId);
      await checkCreditOrder(wallet, walletShards, order, tables);
    },
    async balance(wallet: WalletId): Promise<Balance> {
      const { walletShards } = await requireOrganisation(organisations, wallet.organisationId);
      const balance = await readBalance(wallet, walletShards, tables.shards, clock);
      if (balance) return balance;
      throw notPossible(
        `The ${wallet.env} wallet is so busy that its balance cannot be read. Run the same command again.`,
      );
    },
    /**
     * Creates shards, lets requests use them, waits for earlier ones, and then moves credits. Can be repeated.
     */
    async setShards(
      organisationId: string,
      count: number,
      onWait: (waitMs: number) => void = () => undefined,
    ): Promise<Organisation> {
      const before = await requireOrganisation(organisations, organisationId);
      checkShardCount(before, count);
      const wallets = ENVIRONMENTS.map((env) => ({ env, organisationId }));
      for (const wallet of wallets) {
        for (const shard of shardNumbers(count)) await tables.shards.createShard(wallet, shard);
      }
      const after = await changeOrganisation(organisations, organisationId, (row) => {
        checkShardCount(row, count);
        return { ...row, walletShards: count };
      });
      // An earlier request does not read the new shards, and might get 402.
      onWait(OLD_REQUESTS_END_MS);
      await clock.pause(OLD_REQUESTS_END_MS);
      for (const wallet of wallets) {
        if (!(await evenOut(wallet, count, tables.shards, clock)))
          throw notPossible(
            `The ${wallet.env} wallet is too busy to spread its credits over the new shards. Run the same command again.`,
          );
      }
      return after;
    },
  };
}

function shardNumbers(count: number): number[] {
  return Array.from({ length: count }, (_, shard) => shard);
}

/** The number must not fall: the credits of a shard that is no longer read would be lost. */
function checkShardCount({ id, walletShards }: Organisation, count: number): void {
  if (!Number.isInteger(count) || count < 1 || count > MAX_WALLET_SHARDS)
    throw notPossible(`A wallet can have 1 to ${MAX_WALLET_SHARDS} shards.`);
  if (count < walletShards)
    throw notPossible(
      `Each wallet of ${id} already has ${walletShards} shards. The number of shards cannot be lowered.`,
    );
}
