import { type Command, Option } from 'commander';
import { lagosDay } from '../../../shared/core/accounting-month.ts';
import type { Environment } from '../../../shared/core/environment.ts';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type FinancialDocument,
  type StatementSummary,
} from '../../../shared/payments/documents/financial-document.ts';
import { environmentOption, organisationArgument } from '../arguments.ts';
import { commandContext } from '../command-context.ts';
import { documentArgument, naira } from '../money-arguments.ts';
import { counted, fields, table, time } from '../output.ts';
import { writeNewFile } from '../write-new-file.ts';
import { totalText } from './order-text.ts';

interface ListOptions {
  readonly env: Environment;
  readonly kind?: DocumentKind;
}

/** Adds `invoice ...`: invoices, receipts, credit notes and monthly statements. */
export function invoiceCommands(program: Command): void {
  const group = program
    .command('invoice')
    .description('Read invoices, receipts, credit notes and monthly statements');
  group
    .command('list')
    .description('List the documents of a wallet, newest first')
    .addArgument(organisationArgument())
    .addOption(environmentOption('wallet to list').default('live'))
    .addOption(new Option('--kind <kind>', 'only documents of this kind').choices(DOCUMENT_KINDS))
    .action(async (id: string, { env, kind }: ListOptions, command: Command) => {
      const { operator, print } = await commandContext(command);
      const documents = await operator.listDocuments({ env, organisationId: id }, kind);
      print(documents, documentsText(documents));
    });
  group
    .command('show')
    .description('Show a document; with --json, all of its data')
    .addArgument(organisationArgument())
    .addArgument(documentArgument())
    .action(async (id: string, number: string, _: object, command: Command) => {
      const { operator, print } = await commandContext(command);
      const document = await operator.requireDocument(id, number);
      print(document, documentText(document));
    });
  group
    .command('pdf')
    .description('Write a document to a new file as a PDF')
    .addArgument(organisationArgument())
    .addArgument(documentArgument())
    .requiredOption('--out <file>', 'file to write; it must not exist')
    .action(async (id: string, number: string, { out }: { out: string }, command: Command) => {
      const { operator, print } = await commandContext(command);
      const document = await operator.requireDocument(id, number);
      // Loaded on demand, because no other command needs its fonts.
      const { drawDocument } = await import('../../../shared/payments/documents/pdf/draw-document.ts');
      const pdf = await drawDocument(document);
      writeNewFile(out, pdf);
      print({ number, file: out, bytes: pdf.length }, `${number} was written to ${out}.`);
    });
}

const KINDS: Readonly<Record<DocumentKind, string>> = {
  INVOICE: 'invoice',
  RECEIPT: 'receipt',
  CREDIT_NOTE: 'credit note',
  STATEMENT: 'statement',
};

function documentsText(documents: readonly FinancialDocument[]): string {
  const lines = documents.map(({ issuedAt, number, kind, totalKobo, order = '' }) => [
    lagosDay(Date.parse(issuedAt)),
    number,
    KINDS[kind],
    // A statement sums up other documents. Its total would count their amounts twice.
    kind === 'STATEMENT' ? '' : naira(totalKobo),
    order,
  ]);
  return table(['ISSUED', 'NUMBER', 'KIND', 'TOTAL', 'ORDER'], lines);
}

export function documentText(document: FinancialDocument): string {
  const { seller, buyer, lines, order, invoice, reason, payment, replaces, statement } = document;
  const head = fields({
    number: document.number,
    kind: KINDS[document.kind],
    issued: time(document.issuedAt),
    seller: [seller.name, ...seller.address, seller.taxNumber].join(', '),
    buyer: [buyer.name, ...buyer.address, buyer.taxNumber].join(', '),
    ...(statement && balancesOf(statement)),
    total: totalText(document),
    'in words': document.totalInWords,
    ...(order !== undefined && { order }),
    ...(invoice !== undefined && { invoice }),
    ...(payment && { payment: `${payment.channel} ${payment.providerReference}, ${time(payment.paidAt)}` }),
    ...(reason !== undefined && { reason }),
    ...(replaces !== undefined && { replaces }),
    'SHA-256': document.contentSha256,
  });
  const rows = lines.map(({ quantity, unitKobo, netKobo, vatKobo, totalKobo, description }) => [
    quantity,
    naira(unitKobo),
    naira(netKobo),
    naira(vatKobo),
    naira(totalKobo),
    description,
  ]);
  const services = statement?.services.map(({ service, requests, credits }) => [service, requests, credits]);
  return [
    head,
    ...(services?.length ? [table(['SERVICE', 'REQUESTS', 'CREDITS'], services)] : []),
    ...(rows.length > 0 ? [table(['QUANTITY', 'UNIT', 'NET', 'VAT', 'TOTAL', 'DESCRIPTION'], rows)] : []),
  ].join('\n\n');
}

function balancesOf(statement: StatementSummary) {
  const { month, openingCredits, boughtCredits, otherCredits, closingCredits } = statement;
  const { usedCredits, usedKobo, closingKobo } = statement;
  return {
    month,
    'opening balance': counted(openingCredits, 'credit'),
    bought: counted(boughtCredits, 'credit'),
    other: counted(otherCredits, 'credit'),
    used: `${counted(usedCredits, 'credit')} (${naira(usedKobo)} without VAT)`,
    'closing balance': `${counted(closingCredits, 'credit')} (${naira(closingKobo)} without VAT)`,
  };
}
