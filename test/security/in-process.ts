import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Account } from '../../shared/accounts/account-table.ts';
import { type ApiKey, hashOf, newApiKeyText } from '../../shared/accounts/api-key.ts';
import { newOrganisation, type Organisation } from '../../shared/accounts/organisation.ts';
import type { LambdaHandler } from '../../shared/http/chains.ts';
import type { CallerDependencies } from '../../shared/http/dependencies.ts';
import { REAL_TOOLS } from '../../shared/ledger/dependencies.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';

/** Handlers in this process, over parts in memory: for what must be counted or timed to the millisecond. */

export interface Caller {
  readonly text: string;
  /** What the table holds of the key; change it to arrange a story. */
  account: Account;
}

export interface CallerChanges {
  readonly key?: Partial<ApiKey>;
  readonly organisation?: Partial<Organisation>;
}

/** An approved organisation with every service and one key of it, but for what a story changes. */
export function caller(env: 'live' | 'test' = 'live', changes: CallerChanges = {}): Caller {
  const organisation = newOrganisation('Harmattan', new Date());
  const text = newApiKeyText(env, organisation.id);
  const services = Object.fromEntries(SERVICE_NAMES.map((name) => [name, {}]));
  const key = {
    organisationId: organisation.id,
    hash: hashOf(text),
    env,
    status: 'ACTIVE' as const,
    label: 'story',
    lastFour: text.slice(-4),
    createdAt: new Date().toISOString(),
  };
  const approved = { ...organisation, status: 'APPROVED' as const, services, ...changes.organisation };
  return {
    text,
    account: { key: { ...key, ...changes.key }, organisation: approved, notFoundTatMs: 0, otherRows: [] },
  };
}

/** Counts the reads and writes of the caller's checks. The limiter lets everything in. */
export function countingParts(
  known: readonly Caller[],
): CallerDependencies & { reads: number; writes: number } {
  const nobody: Account = { key: undefined, organisation: undefined, notFoundTatMs: 0, otherRows: [] };
  const parts = {
    reads: 0,
    writes: 0,
    tools: REAL_TOOLS,
    accounts: {
      async readAccount(_: string, hash: string) {
        parts.reads += 1;
        return known.find(({ account }) => account.key?.hash === hash)?.account ?? nobody;
      },
    },
    limiter: {
      async take() {
        parts.writes += 1;
        return { allowed: true, remaining: 9, resetSeconds: 0, retryAfterSeconds: 0 };
      },
    },
  };
  return parts;
}

export interface EventParts {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string[]>>;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  readonly query?: Readonly<Record<string, string[]>>;
  readonly sourceIp?: string;
  readonly requestedAtMs?: number;
}

/** The event of a POST, as API Gateway makes it; the body reaches the function in base64. */
export function eventOf({
  key,
  headers = {},
  body = null,
  query,
  ...rest
}: EventParts): APIGatewayProxyEvent {
  const { isBase64Encoded = true, sourceIp = '203.0.113.7', requestedAtMs = Date.now() } = rest;
  const event = {
    httpMethod: 'POST',
    path: '/v1/ng/nin-basic',
    multiValueHeaders: {
      'Content-Type': ['application/json'],
      ...(key !== undefined && { Authorization: [`Bearer ${key}`] }),
      ...headers,
    },
    multiValueQueryStringParameters: query ?? null,
    pathParameters: null,
    body: body === null || !isBase64Encoded ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded,
    requestContext: {
      identity: { sourceIp },
      requestTimeEpoch: requestedAtMs,
      domainName: 'api.example',
      path: '/',
    },
  };
  return event as unknown as APIGatewayProxyEvent;
}

export function invoke(handler: LambdaHandler, parts: EventParts): Promise<APIGatewayProxyResult> {
  return handler(eventOf(parts), { getRemainingTimeInMillis: () => 28_000 } as Context);
}

export function codeOf({ body }: APIGatewayProxyResult): string {
  return (JSON.parse(body) as { code: string }).code;
}
