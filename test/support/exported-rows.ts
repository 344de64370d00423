import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { collectRows } from '../../shared/core/database.ts';
import type { JsonRow } from '../ledger/checker/evidence.ts';
import type { ExportedRows } from '../ledger/checker/snapshot.ts';
import { plain } from '../ledger/storage/journal.ts';

/** Returns the rows of these organisations as an export of the tables would contain them. */
export async function exportRows(
  client: DynamoDBDocumentClient,
  tables: { readonly wallets: string; readonly logs: string },
  organisations: ReadonlySet<string>,
): Promise<ExportedRows> {
  const read = async (tableName: string) => {
    const rows = await collectRows(paginateScan({ client }, { TableName: tableName, ConsistentRead: true }));
    const selected = rows.filter(({ pk }) => organisations.has(String(pk).split('#')[1] ?? ''));
    return selected.map((row) => plain(row) as JsonRow);
  };
  const [wallets, logs] = [await read(tables.wallets), await read(tables.logs)];
  const names = [...organisations].flatMap((id) => [`live#${id}`, `test#${id}`]);
  return { names, wallets, logs, exportedAtMs: Date.now() };
}
