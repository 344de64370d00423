import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { collectRows, connect } from '../../shared/core/database.ts';
import { control, number, organisation, post } from '../support/service.ts';
import type { ExportedTables, Item } from './exported-tables.ts';

/** Sends requests that find a record, fail, are rejected or are repeated. Returns all rows once holds are settled. */
export async function exportMixedLoad(): Promise<ExportedTables & { readonly organisationId: string }> {
  const { id, live } = await organisation({ credits: 40, walletShards: 2, prices: { 'tin-basic': 3 } });
  const call = { key: live };
  for (const ending of ['0001', '0002', '0404', '0400', '0503', '0500'])
    await post('/v1/ng/nin-basic', { nin: number(ending), reason: 'onboarding' }, call);
  await post('/v1/ng/tin-basic', { tin: '77000001-0001', consent: 'form 7' }, call);
  await post('/v1/ng/nin-basic', { nin: 'not a number' }, call);
  const body = { bvn: number() };
  const keyed = { ...call, headers: { 'Idempotency-Key': 'key-of-a-mixed-load' } };
  for (let count = 0; count < 5; count += 1) await post('/v1/ng/bvn-basic', body, keyed);
  // Settles the charged holds, so that none is left.
  await control.runSchedule('sweep-holds');
  return { organisationId: id, ...(await exportOf(connect(), id)) };
}

async function exportOf(client: DynamoDBDocumentClient, organisationId: string): Promise<ExportedTables> {
  const read = async (setting: string): Promise<Item[]> => {
    const TableName = process.env[setting];
    // Without the filter, this process would parse the rows of all tests.
    const FilterExpression = 'contains(pk, :organisation)';
    const ExpressionAttributeValues = { ':organisation': `#${organisationId}` };
    const scan = { TableName, ConsistentRead: true, FilterExpression, ExpressionAttributeValues };
    const rows = await collectRows(paginateScan({ client }, scan));
    return rows.filter(({ pk }) => String(pk).split('#')[1] === organisationId);
  };
  return {
    apiKeys: await read('API_KEYS_TABLE'),
    wallets: await read('WALLETS_TABLE'),
    logs: await read('VERIFICATION_LOGS_TABLE'),
  };
}
