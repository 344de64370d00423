import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { newOrganisation, type Organisation } from '../../../shared/accounts/organisation.ts';
import { organisationTable } from '../../../shared/accounts/organisation-table.ts';
import type { AuditEntry } from '../../../shared/audit/audit-entry.ts';
import { auditTable } from '../../../shared/audit/audit-table.ts';
import type { Row } from '../../../shared/core/database.ts';
import {
  memberKey,
  membershipKey,
  organisationKey,
  personKey,
  sessionKey,
} from '../../../shared/core/keys.ts';
import type { Role } from '../../../shared/core/member-role.ts';
import type { LambdaHandler } from '../../../shared/http/chain.ts';
import { CONSOLE_API, type ConsoleRouteName, consoleRouteOf } from '../../../shared/http/console/routes.ts';
import type { EndSessionDependencies } from '../../../shared/members/console/end-session.ts';
import type { SessionViewDependencies } from '../../../shared/members/console/session-view.ts';
import type { Identity, IdentityProvider } from '../../../shared/members/identity-provider.ts';
import { membershipTable } from '../../../shared/members/membership-table.ts';
import type { ConsoleDependencies } from '../../../shared/members/middleware/dependencies.ts';
import { personLimiterTable } from '../../../shared/members/person-limiter-table.ts';
import { personTable } from '../../../shared/members/person-table.ts';
import type { Membership, Person, Session } from '../../../shared/members/rows.ts';
import {
  newSession,
  newSessionSecret,
  sessionCookieText,
  sessionHash,
} from '../../../shared/members/session.ts';
import { sessionCheckTable } from '../../../shared/members/session-check-table.ts';
import { sessionTable } from '../../../shared/members/session-table.ts';
import { profileTable } from '../../../shared/profiles/profile-table.ts';
import { MemoryStore, type RowChange } from '../../ledger/storage/memory-store.ts';

/**
 * Runs the console in this process, with its real table modules over an in-memory store, and an identity provider and a
 * clock that only the test controls.
 */

export const ORIGIN = 'https://console.example.com';

export interface Browser {
  cookie: string;
}

export interface SentRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

export type MemoryConsole = ReturnType<typeof memoryConsole>;

export function memoryConsole() {
  const writes: RowChange[] = [];
  const calls: { readonly input: object }[] = [];
  const store = new MemoryStore((changes) => writes.push(...changes));
  const hooks = { onCall: async (_: { readonly input: object }): Promise<void> => undefined };
  // The SDK's paginators accept only instances of this class.
  const client: DynamoDBDocumentClient = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
    send: async (command: { readonly input: object }) => {
      calls.push(command);
      await hooks.onCall(command);
      return store.apply(command);
    },
  });
  const clock = { nowMs: Date.parse('2026-11-23T09:00:00.000Z') };
  const put = (TableName: string, item: object) =>
    void store.apply(new PutCommand({ TableName, Item: { ...item } }));
  const tables = {
    persons: personTable(client, 'Console'),
    memberships: membershipTable(client, 'Console'),
    sessions: sessionTable(client, 'Console'),
    profiles: profileTable(client, { console: 'Console', apiKeys: 'ApiKeys' }),
    organisations: organisationTable(client, 'ApiKeys'),
    audit: auditTable(client, 'AuditTrail'),
  };
  const deps: ConsoleDependencies = {
    checks: sessionCheckTable(client, 'Console', 'ApiKeys'),
    sessions: tables.sessions,
    limiter: personLimiterTable(client, 'Console'),
    audit: () => tables.audit,
    nowMs: () => clock.nowMs,
  };
  const provider = providerDouble();
  const viewDeps: SessionViewDependencies = {
    ...tables,
    links: {
      stage: 'local',
      api_url: 'https://api.example.com',
      documentation_url: 'https://docs.example.com',
      terms: { version: '2026-11', url: 'https://example.com/terms' },
      support_contact: 'support@example.com',
    },
  };
  const endDeps: EndSessionDependencies = { ...tables, provider };
  const unprotected = new Set<string>();
  let people = 0;
  return {
    client,
    clock,
    calls,
    hooks,
    writes,
    deps,
    tables,
    provider,
    /** The subjects of people without a second factor. */
    unprotected,
    hasSecondFactor: async (subject: string) => !unprotected.has(subject),
    viewDeps,
    endDeps,
    put,
    newOrganisation(changes: Partial<Organisation> = {}): Organisation {
      const row = { ...newOrganisation('Harmattan', new Date(clock.nowMs)), ...changes };
      put('ApiKeys', { ...organisationKey(row.id), ...row });
      return row;
    },
    newPerson(changes: Partial<Person> = {}): Person {
      people += 1;
      const id = `person-${people}`;
      const row = {
        id,
        email: `${id}@example.com`,
        name: 'Ngozi',
        createdAt: isoOf(clock.nowMs),
        ...changes,
      };
      put('Console', { ...personKey(row.id), ...row });
      return row;
    },
    newMember(person: Person, organisation: Organisation, role: Role, changes: Partial<Membership> = {}) {
      const row: Membership = {
        organisationId: organisation.id,
        personId: person.id,
        role,
        status: 'ACTIVE',
        organisationName: organisation.name,
        personName: person.name,
        email: person.email,
        since: isoOf(clock.nowMs),
        version: 1,
        ...changes,
      };
      put('Console', { ...memberKey(row.organisationId, row.personId), ...row });
      put('Console', { ...membershipKey(row.personId, row.organisationId), ...row });
      return row;
    },
    /** Begins a session without the identity provider. */
    newSession(person: Person, organisation?: Organisation, changes: Partial<Session> = {}): Browser {
      const secret = newSessionSecret();
      const row = { ...newSession(person.id, isoOf(clock.nowMs), clock.nowMs, undefined), ...changes };
      put('Console', { ...sessionKey(sessionHash(secret)), ...row });
      return { cookie: sessionCookieText({ organisationId: organisation?.id, personId: person.id, secret }) };
    },
    sessions(): Row[] {
      return current(writes, 'Console').filter(({ sk }) => sk === 'SESSION');
    },
    auditEntries(): AuditEntry[] {
      return current(writes, 'AuditTrail') as unknown[] as AuditEntry[];
    },
    consoleRow: ({ pk, sk }: { pk: string; sk: string }) =>
      current(writes, 'Console').find((row) => row['pk'] === pk && row['sk'] === sk),
    event: (name: ConsoleRouteName, sent: SentRequest = {}, browser?: Browser) =>
      eventOf(name, sent, browser, clock.nowMs),
    async send(handler: LambdaHandler, name: ConsoleRouteName, browser?: Browser, sent: SentRequest = {}) {
      const response = await handler(eventOf(name, sent, browser, clock.nowMs), {} as Context);
      return responseOf(response, browser);
    },
  };
}

const isoOf = (ms: number) => new Date(ms).toISOString();

function current(writes: readonly RowChange[], tableName: string): Row[] {
  const rows = new Map<string, Row | null>();
  for (const change of writes)
    if (change.tableName === tableName) rows.set(`${change.pk}\n${change.sk}`, change.row);
  return [...rows.values()].filter((row) => row !== null);
}

/** Returns an identity provider that identifies everyone as `identity` and rejects every code except `good`. */
function providerDouble() {
  const double = {
    identity: {
      subject: 'person-of-provider',
      email: 'Ada@Example.com',
      isEmailVerified: true,
      name: 'Ada Obi',
      signedInAtMs: 0,
      idToken: undefined,
    } as Identity,
    failure: undefined as Error | undefined,
    attempts: [] as Parameters<IdentityProvider['signInUrl']>[0][],
    async signInUrl(attempt: Parameters<IdentityProvider['signInUrl']>[0], callbackUrl: string) {
      if (double.failure) throw double.failure;
      double.attempts.push(attempt);
      const query = new URLSearchParams({ state: attempt.state, redirect_uri: callbackUrl });
      return `https://sign-in.example.com/authorize?${query}`;
    },
    async finish(_: unknown, currentUrl: string): Promise<Identity> {
      if (double.failure) throw double.failure;
      if (new URL(currentUrl).searchParams.get('code') !== 'good') throw new Error('invalid_grant');
      return double.identity;
    },
    signOutUrl: async (returnTo: string) =>
      `https://sign-in.example.com/logout?${new URLSearchParams({ returnTo })}`,
  };
  return double;
}

function eventOf(
  name: ConsoleRouteName,
  { headers = {}, query, body, pathParameters }: SentRequest,
  browser: Browser | undefined,
  nowMs: number,
): APIGatewayProxyEvent {
  const { method, path } = consoleRouteOf(name);
  const ownHeaders: Record<string, string> = {
    'X-Forwarded-Proto': 'https',
    'Sec-Fetch-Site': 'same-origin',
    ...(method !== 'GET' && { Origin: ORIGIN, 'Content-Type': 'application/json' }),
    ...(browser && { Cookie: `__Host-session=${browser.cookie}` }),
    ...headers,
  };
  const sent = Object.entries(ownHeaders).filter(([, value]) => value !== '');
  return {
    resource: CONSOLE_API + path,
    path: CONSOLE_API + path,
    httpMethod: method,
    headers: Object.fromEntries(sent),
    multiValueHeaders: Object.fromEntries(sent.map(([key, value]) => [key, [value]])),
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query
      ? Object.fromEntries(Object.entries(query).map(([key, value]) => [key, [value]]))
      : null,
    pathParameters: pathParameters ?? null,
    stageVariables: null,
    requestContext: {
      requestTimeEpoch: nowMs,
      domainName: new URL(ORIGIN).host,
      path: CONSOLE_API + path,
      identity: { sourceIp: '203.0.113.7' },
    } as APIGatewayProxyEvent['requestContext'],
    body: method === 'GET' ? null : typeof body === 'string' ? body : JSON.stringify(body ?? {}),
    isBase64Encoded: false,
  };
}

/** Returns the parts of a response that tests check. The browser keeps the cookie that it receives. */
function responseOf(response: APIGatewayProxyResult, browser: Browser | undefined) {
  const cookies = (response.multiValueHeaders?.['Set-Cookie'] ?? []).map(String);
  const session = cookies.find((cookie) => cookie.startsWith('__Host-session='));
  if (browser && session) browser.cookie = session.slice('__Host-session='.length).split(';')[0] ?? '';
  const { statusCode: status, headers = {}, body } = response;
  const json = headers['Content-Type'] === 'application/json' ? JSON.parse(body) : undefined;
  return { status, code: json?.code as string | undefined, json, headers, cookies };
}
