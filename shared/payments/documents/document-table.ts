import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { TransactItem } from '../../audit/audit-table.ts';
import { ABSENT, listRows, put, query, readRow, where } from '../../core/expressions.ts';
import { counterKey, DOCUMENT_PREFIX, documentKey, paymentsPk, type WalletId } from '../../core/keys.ts';
import { documentNumber } from './document-series.ts';
import { type DocumentKind, type FinancialDocument, financialDocument } from './financial-document.ts';

/** `last` is 0 if the series has no document. */
interface NextNumber {
  readonly series: string;
  readonly last: number;
  readonly number: string;
  /** Of the last one. Absent if there is none, or if an earlier version wrote it. */
  readonly lastIssuedAt: string | undefined;
}

/** `<env>#<org>` / `DOCUMENT#<number>`, and `COUNTER#<series>` / `COUNTER`. */
export type DocumentTable = ReturnType<typeof documentTable>;

const counter = v.object({ last: v.number(), issuedAt: v.optional(v.string()) });

export function documentTable(client: DynamoDBDocumentClient, tableName: string) {
  const insert = (wallet: WalletId, document: FinancialDocument) =>
    put(tableName, { ...documentKey(wallet, document.number), ...document }, ABSENT);
  const draw = ({ series, last }: NextNumber, issuedAt: string) =>
    put(
      tableName,
      { ...counterKey(series), last: last + 1, issuedAt },
      last === 0 ? ABSENT : where`last = ${last}`,
    );
  return {
    getDocument: (wallet: WalletId, number: string): Promise<FinancialDocument | undefined> =>
      readRow(client, financialDocument, tableName, documentKey(wallet, number)),
    /** Newest first. */
    async listDocuments(wallet: WalletId, kind?: DocumentKind): Promise<FinancialDocument[]> {
      const keys = where`pk = ${paymentsPk(wallet)} AND begins_with(sk, ${DOCUMENT_PREFIX})`;
      const documents = await listRows(client, financialDocument, query(tableName, keys));
      return documents
        .filter((document) => kind === undefined || document.kind === kind)
        .sort((a, b) => compare(b.issuedAt, a.issuedAt) || compare(b.number, a.number));
    },
    /** Only the transaction of `documentItems` takes it. */
    async nextNumber(series: string): Promise<NextNumber> {
      const row = await readRow(client, counter, tableName, counterKey(series));
      const { last = 0, issuedAt: lastIssuedAt } = row ?? {};
      return { series, last, number: documentNumber(series, last + 1), lastIssuedAt };
    },
    /** For one transaction. If another document has taken the number, build it again with the next. */
    documentItems(wallet: WalletId, document: FinancialDocument, drawn: NextNumber): readonly TransactItem[] {
      if (document.number !== drawn.number)
        throw new Error(`The document has the number ${document.number}, but ${drawn.number} was reserved.`);
      return [insert(wallet, document), draw(drawn, document.issuedAt)];
    },
  };
}

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
