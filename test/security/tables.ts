import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { collectRows, connect, type Row } from '../../shared/core/database.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { baseUrl, readSecret } from '../support/service.ts';

/** The tables and secrets of the running service, accessed with the operator's permissions. */

if (!baseUrl) throw new Error('The service is not running.');
// These tests send hundreds of calls at once, which on a busy machine take longer than a function may wait.
process.env['DATABASE_TIMEOUT_MS'] = '120000';
export const operatorClient = connect();
const nameOf = (variable: string) => process.env[variable] ?? '';
export const verificationLogsTable = nameOf('VERIFICATION_LOGS_TABLE');
export const paymentsTable = nameOf('PAYMENTS_TABLE');
export const consoleTable = nameOf('CONSOLE_TABLE');
const TABLES = [
  'API_KEYS_TABLE',
  'WALLETS_TABLE',
  'VERIFICATION_LOGS_TABLE',
  'AUDIT_TRAIL_TABLE',
  'APPROVALS_TABLE',
  'PAYMENTS_TABLE',
  'CONSOLE_TABLE',
].map(nameOf);

/** Returns a row of VerificationLogs as the service writes it for a NIN that was found, with the given changes. */
export async function logRowOf(organisationId: string, nin: string, changes: object) {
  const [tag] = numberTags(await readSecret('PEPPER'), { env: 'live', organisationId }, 'NIN', nin);
  const requestId = 'req_00000000beef';
  return {
    pk: `live#${organisationId}#${tag}`,
    sk: '01KADA3CV5Y2M2J1Q0QW5PZ7Z4',
    operationId: '01KADA3CV5Y2M2J1Q0QW5PZ7Z4',
    requestId,
    requestKey: `live#${organisationId}#${requestId}`,
    service: 'nin-basic',
    outcome: 'FOUND',
    httpStatus: 200,
    creditsCharged: 1,
    provider: 'sandbox',
    keyLabel: 'story',
    latencyMs: 12,
    requestedAt: '2025-01-01T00:00:00.000Z',
    expiresAt: Math.floor(Date.now() / 1000) + 3600,
    ...changes,
  };
}

export function exportRows(TableName: string): Promise<Row[]> {
  return collectRows(paginateScan({ client: operatorClient }, { TableName }));
}

/** Returns every row of these tables as a line of JSON, as someone who stole the tables would see it. */
export async function exportTables(): Promise<string> {
  const lines: string[] = [];
  for (const name of TABLES) {
    const rows = await exportRows(name);
    lines.push(...rows.map((row) => JSON.stringify(row)));
  }
  return lines.join('\n');
}
