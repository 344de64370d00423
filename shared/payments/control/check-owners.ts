import { rowName } from '../../audit/row-hashes.ts';
import type { Row } from '../../core/database.ts';
import {
  keyedReferenceKey,
  orderOfPk,
  ordersIndexKey,
  ownerInPayments,
  pricesPk,
  type WalletId,
} from '../../core/keys.ts';
import type { Findings } from './money-rows.ts';

/** The attributes that the control reads of all rows. */
export const OWNER_ATTRIBUTES: readonly string[] = ['pk', 'sk', 'organisationId', 'ordersKey'];

/**
 * Each row belongs to an organisation of the stage, or to the stage: the other checks read only their rows. `series` are
 * those of counters.
 */
export function checkOwners(
  items: readonly Row[],
  wallets: readonly WalletId[],
  series: ReadonlySet<string>,
  findings: Findings,
): void {
  const known = new Set([STAGE, ...wallets.map(({ organisationId }) => organisationId)]);
  for (const item of items) {
    const [kind, id] = ownerInPayments(String(item['pk']));
    // The row of an `Idempotency-Key` only names the order.
    if (kind === 'order' && item['sk'] === KEY) continue;
    const isKnown = {
      organisation: known.has(id),
      order: known.has(String(item['organisationId'])) && isListed(item),
      series: series.has(id),
      none: false,
    }[kind];
    const name = { at: '', reference: rowName(item) };
    if (!isKnown) findings.add('unknown-wallet', name, 'an organisation, or a known series', 'none');
  }
}

/** The control reads an order through the index of its wallet. */
function isListed({ pk, sk, organisationId, ordersKey }: Row): boolean {
  const { env } = orderOfPk(String(pk));
  return sk !== 'ORDER' || ordersKey === ordersIndexKey({ env, organisationId: String(organisationId) });
}

const [STAGE, KEY] = [ownerInPayments(pricesPk(undefined))[1], keyedReferenceKey('live', '').sk];
