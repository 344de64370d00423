import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import { sealTable } from '../../ledger/reconcile/seal-table.ts';
import { MONTH_PAGE_ROWS, statementTable } from '../../ledger/statement/statement-table.ts';
import type { DocumentKind, FinancialDocument } from '../../payments/documents/financial-document.ts';
import { payBack } from '../../payments/refunds/pay-back.ts';
import type { Refund } from '../../payments/refunds/refund.ts';
import {
  planRefund,
  type RefundDependencies,
  type RefundedCredits,
  type RefundRequest,
  refundCredits,
  refundReference,
} from '../../payments/refunds/refund-credits.ts';
import type { Workplace } from '../deployment.ts';
import { paymentsIn, requireMoney } from './orders.ts';
import { requireOrganisation } from './organisations.ts';

/** A credit note, and the state of its refund. */
export interface CreditNote {
  readonly document: FinancialDocument;
  readonly refund: Refund | undefined;
}

/** Operations on the documents of customers, and on refunds of unspent credits. */
export function documentsOf(place: Workplace) {
  const { client, tables: names } = place.deployment;
  const tables = {
    ...paymentsIn(place),
    statement: statementTable(client, names.wallets, MONTH_PAGE_ROWS),
    seals: sealTable(client, names.wallets),
  };
  const { documents, refunds, clock } = tables;
  const deps = (): RefundDependencies => ({ ...tables, settings: requireMoney(tables.money) });
  async function requireDocument(organisationId: string, number: string): Promise<FinancialDocument> {
    const env = environmentOf(number);
    const document = await documents.getDocument({ env, organisationId }, number);
    if (document) return document;
    await requireOrganisation(tables.organisations, organisationId);
    throw notPossible(
      `${organisationId} has no document ${number}. \`invoice list ${organisationId} --env ${env}\` shows its ${env} documents.`,
    );
  }
  const refundOf = ({ env, order, number }: FinancialDocument) =>
    order === undefined ? Promise.resolve(undefined) : refunds.getRefund({ env, order, creditNote: number });
  async function refundedEarlier({ wallet, reference }: RefundRequest): Promise<boolean> {
    return (await tables.credits.getCredit(wallet, refundReference(reference))) !== undefined;
  }
  return {
    requireDocument,
    async listDocuments(wallet: WalletId, kind?: DocumentKind): Promise<FinancialDocument[]> {
      await requireOrganisation(tables.organisations, wallet.organisationId);
      return documents.listDocuments(wallet, kind);
    },
    async listCreditNotes(wallet: WalletId): Promise<CreditNote[]> {
      await requireOrganisation(tables.organisations, wallet.organisationId);
      const notes = await documents.listDocuments(wallet, 'CREDIT_NOTE');
      return Promise.all(notes.map(async (document) => ({ document, refund: await refundOf(document) })));
    },
    /** Returns what a refund would do now. Throws if no refund is possible, so that no approval is requested for it. */
    planRefund: (request: RefundRequest) => planRefund(request, deps()),
    /**
     * Takes credits back and writes a credit note. Repeating a reference changes nothing. `totalKobo` is the total
     * that the operator confirmed.
     */
    refundCredits: (request: RefundRequest, totalKobo: number): Promise<RefundedCredits> =>
      refundCredits(request, deps(), totalKobo),
    refundedEarlier,
    /**
     * Records that a person refunded a credit note by bank transfer. Repeating it with the same bank reference changes
     * nothing.
     */
    async recordPaidBack(organisationId: string, number: string, paidBackBy: string): Promise<Refund> {
      const before = await refundOf(await requireDocument(organisationId, number));
      if (!before) throw notPossible(`${number} is not a credit note with money to pay back.`);
      return payBack(before, paidBackBy, { refunds, clock });
    },
  };
}

/** The numbers of test documents begin with TEST. */
function environmentOf(number: string): WalletId['env'] {
  return number.startsWith('TEST-') ? 'test' : 'live';
}
