import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Account } from '../../shared/accounts/account-table.ts';
import { type ApiKey, type ApiKeyText, hashOf, newApiKeyText } from '../../shared/accounts/api-key.ts';
import type { CallerDependencies } from '../../shared/accounts/middleware/dependencies.ts';
import { newOrganisation, type Organisation } from '../../shared/accounts/organisation.ts';
import { REAL_CLOCK } from '../../shared/core/clock.ts';
import type { LambdaHandler } from '../../shared/http/chain.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';

/** Runs handlers in this process with dependencies in memory, so that calls can be counted and times controlled. */

export interface Caller {
  readonly text: string;
  /** What the table returns for the key. Tests change it. */
  account: Account;
}

export interface CallerChanges {
  readonly key?: Partial<ApiKey>;
  readonly organisation?: Partial<Organisation>;
}

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
    account: {
      key: { ...key, ...changes.key },
      organisation: approved,
      limits: { key: {}, organisation: {} },
      otherRows: [],
      leftOut: [],
    },
  };
}

/**
 * Returns dependencies that count the reads and writes made to check a caller. The rate limiter allows every request.
 */
export function countingDependencies(
  known: readonly Caller[],
): CallerDependencies & { reads: number; writes: number } {
  const unknown: Account = {
    key: undefined,
    organisation: undefined,
    limits: { key: {}, organisation: {} },
    otherRows: [],
    leftOut: [],
  };
  const dependencies = {
    reads: 0,
    writes: 0,
    clock: REAL_CLOCK,
    accounts: {
      async readAccount({ hash }: ApiKeyText) {
        dependencies.reads += 1;
        return known.find(({ account }) => account.key?.hash === hash)?.account ?? unknown;
      },
    },
    rejections: { recordRejection: async () => undefined },
    rejectedRequests: { record: async () => undefined, ofDay: async function* () {} },
    limiter: {
      async take() {
        dependencies.writes += 1;
        return { allowed: true, remaining: 9, resetSeconds: 0, retryAfterSeconds: 0 };
      },
      recordMiss: async () => undefined,
      recordFound: async () => undefined,
      takeGuess: async () => ({ allowed: true, remaining: 9, resetSeconds: 0, retryAfterSeconds: 0 }),
      giveBackGuess: async () => undefined,
    },
  };
  return dependencies;
}

export interface EventInput {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string[]>>;
  readonly body?: string | null;
  readonly isBase64Encoded?: boolean;
  readonly query?: Readonly<Record<string, string[]>>;
  readonly sourceIp?: string;
  readonly requestedAtMs?: number;
}

/** Returns the event of a POST request as API Gateway sends it, by default with the body in base64. */
export function eventOf({
  key,
  headers = {},
  body = null,
  query,
  ...rest
}: EventInput): APIGatewayProxyEvent {
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

export function invoke(handler: LambdaHandler, input: EventInput): Promise<APIGatewayProxyResult> {
  return handler(eventOf(input), { getRemainingTimeInMillis: () => 28_000 } as Context);
}

export function codeOf({ body }: APIGatewayProxyResult): string {
  return (JSON.parse(body) as { code: string }).code;
}
