import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { connect } from '../../shared/core/database.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import { baseUrl } from '../support/service.ts';

/** The running service's tables and secrets, seen with the operator's rights. */

if (!baseUrl) throw new Error('The service does not run.');
export const operatorClient = connect();
const nameOf = (variable: string) => process.env[variable] ?? '';
export const verificationLogsTable = nameOf('VERIFICATION_LOGS_TABLE');
const TABLES = ['API_KEYS_TABLE', 'WALLETS_TABLE', 'VERIFICATION_LOGS_TABLE'].map(nameOf);

export async function readSecret(name: string): Promise<Readonly<Record<string, string>>> {
  const command = new GetSecretValueCommand({ SecretId: nameOf(`${name}_SECRET`) });
  const { SecretString } = await new SecretsManagerClient().send(command);
  return JSON.parse(SecretString ?? '{}') as Record<string, string>;
}

/** A row of VerificationLogs as the service writes it for a found NIN, with other attributes at will. */
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

/** Every row of the three tables as a line of JSON: what somebody who stole them would hold. */
export async function exportTables(): Promise<string> {
  const lines: string[] = [];
  for (const TableName of TABLES) {
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await operatorClient.send(new ScanCommand({ TableName, ExclusiveStartKey }));
      lines.push(...(page.Items ?? []).map((item) => JSON.stringify(item)));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  }
  return lines.join('\n');
}
