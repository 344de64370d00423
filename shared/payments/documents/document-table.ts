import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { TransactItem } from '../../audit/audit-table.ts';
import { collectRows, getRow } from '../../core/database.ts';
import { counterKey, DOCUMENT_PREFIX, documentKey, paymentsPk, type WalletId } from '../../core/keys.ts';
import { documentNumber } from './document-series.ts';
import { type DocumentKind, type FinancialDocument, financialDocument } from './financial-document.ts';

/** The next number of a series, and the last count on which it is based: 0 if the series has no document. */
interface NextNumber {
  readonly series: string;
  readonly last: number;
  readonly number: string;
}

/**
 * Documents in Payments: `<env>#<org>` / `DOCUMENT#<number>`, and counters of series: `COUNTER#<series>` / `COUNTER`.
 */
export type DocumentTable = ReturnType<typeof documentTable>;

const counter = v.object({ last: v.number() });

export function documentTable(client: DynamoDBDocumentClient, tableName: string) {
  const put = (wallet: WalletId, document: FinancialDocument) => ({
    TableName: tableName,
    Item: { ...documentKey(wallet, document.number), ...document },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  const draw = ({ series, last }: NextNumber) => ({
    TableName: tableName,
    Item: { ...counterKey(series), last: last + 1 },
    ConditionExpression: last === 0 ? 'attribute_not_exists(pk)' : '#last = :last',
    ...(last > 0 && {
      ExpressionAttributeNames: { '#last': 'last' },
      ExpressionAttributeValues: { ':last': last },
    }),
  });
  return {
    async getDocument(wallet: WalletId, number: string): Promise<FinancialDocument | undefined> {
      const row = await getRow(client, tableName, documentKey(wallet, number));
      return row && v.parse(financialDocument, row);
    },
    /** Returns the documents of a wallet, newest first. */
    async listDocuments(wallet: WalletId, kind?: DocumentKind): Promise<FinancialDocument[]> {
      const query = {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :documents)',
        ExpressionAttributeValues: { ':pk': paymentsPk(wallet), ':documents': DOCUMENT_PREFIX },
      };
      const rows = await collectRows(paginateQuery({ client }, query));
      return rows
        .map((row) => v.parse(financialDocument, row))
        .filter((document) => kind === undefined || document.kind === kind)
        .sort((a, b) => compare(b.issuedAt, a.issuedAt) || compare(b.number, a.number));
    },
    /** Reads the next number of a series. Only the transaction of `documentItems` takes it. */
    async nextNumber(series: string): Promise<NextNumber> {
      const row = await getRow(client, tableName, counterKey(series));
      const last = row ? v.parse(counter, row).last : 0;
      return { series, last, number: documentNumber(series, last + 1) };
    },
    /**
     * Returns the `Put` items for a document and its counter, for one transaction. Their conditions fail if another
     * document has taken the number. If so, build the document again with the next number.
     */
    documentItems(wallet: WalletId, document: FinancialDocument, drawn: NextNumber): readonly TransactItem[] {
      if (document.number !== drawn.number)
        throw new Error(`The document has the number ${document.number}, but ${drawn.number} was reserved.`);
      return [{ Put: put(wallet, document) }, { Put: draw(drawn) }];
    },
  };
}

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
