import { createHash } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import { SECRET_HEADER } from '../../../../shared/registries/sandbox/protocol.ts';
import { requestJson } from '../../../../shared/registries/transport/http-client.ts';

/**
 * A simple implementation of a verification: four reads, reserve, charge and log in sequence, with the same SDK and
 * HTTP client, but without the checks, envelope and metrics of the service.
 */
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const bodyShape = v.object({ id_number: v.pipe(v.string(), v.regex(/^[0-9]{11}$/)) });
const TABLES = { keys: 'ApiKeys', wallets: 'Wallets', logs: 'VerificationLogs' };

const get = (sk: string) =>
  client.send(new GetCommand({ TableName: TABLES.keys, Key: { pk: 'NAIVE', sk }, ConsistentRead: true }));
const changeWallet = (expression: string) =>
  client.send(
    new UpdateCommand({
      TableName: TABLES.wallets,
      Key: { pk: 'NAIVE', sk: 'WALLET' },
      UpdateExpression: expression,
      ConditionExpression: 'available >= :one',
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );

/** Writes the rows that this implementation reads. */
export async function seed(): Promise<void> {
  for (const sk of ['KEY', 'ORG', 'SUBSCRIPTION', 'PRICE'])
    await client.send(
      new PutCommand({ TableName: TABLES.keys, Item: { pk: 'NAIVE', sk, status: 'ACTIVE' } }),
    );
  const wallet = { pk: 'NAIVE', sk: 'WALLET', available: 1_000_000, held: 0 };
  await client.send(new PutCommand({ TableName: TABLES.wallets, Item: wallet }));
}

/** Verifies a number. Returns the status and the body of the response. */
export async function verifyNaively(
  input: unknown,
  authorization: string,
): Promise<{ readonly statusCode: number; readonly body: string }> {
  const { id_number: number } = v.parse(bodyShape, input);
  createHash('sha256').update(authorization).digest('hex');
  for (const sk of ['KEY', 'ORG', 'SUBSCRIPTION', 'PRICE'])
    if ((await get(sk)).Item?.['status'] !== 'ACTIVE') return { statusCode: 401, body: '' };
  await changeWallet('SET available = available - :one, held = held + :one');
  const answer = await requestJson({
    method: 'POST',
    url: new URL(process.env['SANDBOX_URL'] ?? ''),
    headers: { [SECRET_HEADER]: process.env['SANDBOX_KEY'] ?? '' },
    body: { id_type: 'NIN', number },
    deadlineMs: Date.now() + 20_000,
  });
  if (answer.kind !== 'response' || answer.status !== 200) return { statusCode: 503, body: '' };
  await changeWallet('SET held = held - :one');
  const log = { pk: `NAIVE#${number}`, sk: String(Date.now()), outcome: 'FOUND', charged: 1 };
  await client.send(new PutCommand({ TableName: TABLES.logs, Item: log }));
  return { statusCode: 200, body: JSON.stringify({ success: true, data: answer.json }) };
}

export async function handler(event: APIGatewayProxyEvent): Promise<object> {
  const input: unknown = JSON.parse(Buffer.from(event.body ?? '', 'base64').toString());
  return verifyNaively(input, event.multiValueHeaders['Authorization']?.[0] ?? '');
}
