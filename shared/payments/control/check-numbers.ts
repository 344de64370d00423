import type { WalletId } from '../../core/keys.ts';
import { type Difference, difference } from '../../ledger/reconcile/rows.ts';
import { documentNumber, numberIn } from '../documents/document-series.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';

/** A document with the wallet that has it. */
export interface NumberedDocument
  extends Pick<FinancialDocument, 'number' | 'kind' | 'env' | 'issuedAt' | 'method' | 'payment' | 'order'> {
  readonly wallet: WalletId;
}

/**
 * The numbers of a series have no gap, none is used twice, and its counter is the last. `documents` are of one series,
 * and were read after `last`.
 */
export function checkNumbers(
  series: string,
  last: number,
  documents: readonly NumberedDocument[],
): Difference[] {
  const byCount = Map.groupBy(documents, (document) => numberIn(document)?.count ?? 0);
  const found: Difference[] = [];
  for (let count = 1; count <= last; count += 1) {
    const used = byCount.get(count) ?? [];
    if (used.length === 1) continue;
    const env = series.startsWith('TEST-') ? 'test' : 'live';
    const { wallet, issuedAt } = used[0] ?? { wallet: { env, organisationId: '' } as const, issuedAt: '' };
    const subject = { day: issuedAt.slice(0, 10), reference: documentNumber(series, count) };
    found.push(difference('document-number', wallet, subject, 'one document', `${used.length} documents`));
  }
  return found;
}

/** The number of the last document of a series, as its counter states it. */
export function lastNumber({ last }: Readonly<Record<string, unknown>>): number | undefined {
  return typeof last === 'number' && Number.isSafeInteger(last) && last > 0 ? last : undefined;
}

/** The counter was written with the last document. `issuedAt` was read before it. */
export function checkCounter(
  { last, issuedAt }: Readonly<Record<string, unknown>>,
  documents: readonly NumberedDocument[],
  hashedFrom: string,
): Difference[] {
  const document = documents.find((one) => numberIn(one)?.count === last);
  if (!document || issuedAt === document.issuedAt) return [];
  // Earlier versions did not store the time.
  if (issuedAt === undefined && document.issuedAt < hashedFrom) return [];
  const { wallet, number: reference } = document;
  const subject = { day: document.issuedAt.slice(0, 10), reference };
  return [difference('document-number', wallet, subject, document.issuedAt, `counter at ${issuedAt}`)];
}

/** Documents with numbers that the counter, which was read after them, has not reached. */
export function beyondCounter(last: number, documents: readonly NumberedDocument[]): Difference[] {
  return documents.flatMap((document) => {
    const count = numberIn(document)?.count ?? 0;
    if (count <= last) return [];
    const { wallet, number: reference, issuedAt } = document;
    const subject = { day: issuedAt.slice(0, 10), reference };
    return [difference('document-number', wallet, subject, `a number up to ${last}`, `${count}`)];
  });
}

/** One payment at Paystack pays for one order of the stage. `documents` are those of all wallets. */
export function checkPayments(documents: readonly NumberedDocument[]): Difference[] {
  const paid = documents.filter(({ kind, method }) => kind === 'RECEIPT' && method === 'PAYSTACK');
  const byPayment = Map.groupBy(paid, ({ env, payment }) => `${env} ${payment?.providerReference}`);
  return [...byPayment.values()].flatMap(([first, ...others]) =>
    others.map(({ wallet, issuedAt, order = '' }) => {
      const subject = { day: issuedAt.slice(0, 10), reference: order };
      return difference('order', wallet, subject, 'a payment of its own', `the payment of ${first?.order}`);
    }),
  );
}
