import { randomBytes } from 'node:crypto';
import { PutCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { type ApiKey, hashOf, newApiKeyText } from '../../shared/accounts/api-key.ts';
import { newOrganisation, type Organisation } from '../../shared/accounts/organisation.ts';
import { DAY_MS, DAY_SECONDS } from '../../shared/core/clock.ts';
import { setting } from '../../shared/core/config.ts';
import { collectRows, type Row } from '../../shared/core/database.ts';
import type { Environment } from '../../shared/core/environment.ts';
import {
  apiKeyKey,
  apiKeysPk,
  auditPk,
  billingKey,
  consolePk,
  endpointsPk,
  invitationKey,
  memberKey,
  membershipKey,
  organisationKey,
  personKey,
  personPk,
  profileKey,
  sentInvitationKey,
  shardKey,
} from '../../shared/core/keys.ts';
import type { Role } from '../../shared/core/member-role.ts';
import type { SessionView } from '../../shared/members/console/views.ts';
import type { Invitation, Membership, Person, Profile } from '../../shared/members/rows.ts';
import { type ConsoleClient, database, sessionOf } from './console.ts';

/**
 * Creates organisations for tests of the console. Rows are written directly to the tables, so that a test can start
 * from any state. The behaviour under test goes through the routes.
 */

export type PersonView = SessionView['person'];

interface Key {
  readonly pk: string;
  readonly sk: string;
}

type TableSetting =
  | 'API_KEYS_TABLE'
  | 'CONSOLE_TABLE'
  | 'AUDIT_TRAIL_TABLE'
  | 'PAYMENTS_TABLE'
  | 'WALLETS_TABLE';

export async function putRow(table: TableSetting, key: Key, row: object): Promise<void> {
  await database.send(new PutCommand({ TableName: setting(table), Item: { ...key, ...row } }));
}

export async function setAttributes(table: TableSetting, key: Key, values: Row): Promise<void> {
  const names = Object.keys(values);
  await database.send(
    new UpdateCommand({
      TableName: setting(table),
      Key: key,
      UpdateExpression: `SET ${names.map((_, index) => `#${index} = :${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#${index}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name, index) => [`:${index}`, values[name]])),
    }),
  );
}

export async function rowsOf(table: TableSetting, pk: string): Promise<Row[]> {
  return collectRows(
    paginateQuery(
      { client: database },
      {
        TableName: setting(table),
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
      },
    ),
  );
}

/** Creates an organisation without members. By default it is approved and has no services. */
export async function consoleOrganisation(
  name: string,
  changes: Partial<Organisation> = {},
): Promise<Organisation> {
  const row: Organisation = { ...newOrganisation(name, new Date()), status: 'APPROVED', ...changes };
  await putRow('API_KEYS_TABLE', organisationKey(row.id), row);
  return row;
}

export async function putMember(
  { id: organisationId, name: organisationName }: Pick<Organisation, 'id' | 'name'>,
  { id: personId, name: personName, email }: PersonView,
  role: Role,
): Promise<void> {
  const row: Membership = {
    organisationId,
    personId,
    role,
    status: 'ACTIVE',
    organisationName,
    personName,
    email,
    since: new Date().toISOString(),
    version: 1,
  };
  await putRow('CONSOLE_TABLE', memberKey(organisationId, personId), row);
  await putRow('CONSOLE_TABLE', membershipKey(personId, organisationId), row);
}

/** Adds a member who never signs in. Returns their ID. */
export async function putColleague(
  organisation: Pick<Organisation, 'id' | 'name'>,
  role: Role,
  name = 'Ngozi Colleague',
): Promise<string> {
  const id = `colleague-${randomBytes(8).toString('hex')}`;
  const row: Person = { id, name, email: `${id}@example.com`, createdAt: new Date().toISOString() };
  await putRow('CONSOLE_TABLE', personKey(id), row);
  await putMember(organisation, row, role);
  return id;
}

/** Stores an open invitation. Returns its ID and the secret in its link. */
export async function putInvitation(
  organisation: Pick<Organisation, 'id' | 'name'>,
  email: string,
): Promise<{ id: string; token: string }> {
  const token = randomBytes(32).toString('base64url');
  const nowMs = Date.now();
  const row: Invitation = {
    id: ulid(nowMs),
    hash: hashOf(token),
    organisationId: organisation.id,
    organisationName: organisation.name,
    role: 'viewer',
    email,
    state: 'OPEN',
    createdAt: new Date(nowMs).toISOString(),
    notAfter: new Date(nowMs + 7 * DAY_MS).toISOString(),
    expiresAt: Math.ceil(nowMs / 1000) + 30 * DAY_SECONDS,
  };
  await putRow('CONSOLE_TABLE', invitationKey(row.hash), row);
  await putRow('CONSOLE_TABLE', sentInvitationKey(organisation.id, row.id), row);
  return { id: row.id, token };
}

/** Stores an active key. Returns its console ID and its text. */
export async function putKey(
  organisationId: string,
  env: Environment,
  changes: Partial<ApiKey> = {},
): Promise<{ id: string; text: string }> {
  const text = newApiKeyText(env, organisationId);
  const hash = hashOf(text);
  const row: ApiKey = {
    organisationId,
    hash,
    env,
    status: 'ACTIVE',
    label: `key ${hash.slice(0, 6)}`,
    lastFour: text.slice(-4),
    createdAt: new Date().toISOString(),
    ...changes,
  };
  await putRow('API_KEYS_TABLE', apiKeyKey(organisationId, hash), row);
  return { id: hash.slice(0, 12), text };
}

/** Returns a complete profile whose numbers were found. The sandbox registries have a record for both numbers. */
export function completeProfile(): Profile {
  const checkedAt = new Date().toISOString();
  const check = { result: 'FOUND', checkedAt, requestId: 'req_of_a_test' } as const;
  return {
    companyNumber: 'RC1234567',
    taxNumber: '12345678-0001',
    address: ['4 Example Street', 'Ikeja', 'Lagos'],
    billingContact: { name: 'Amaka Accounts', email: 'accounts@example.com' },
    privacyContact: { name: 'Bola Privacy', email: 'privacy@example.com' },
    companyCheck: { ...check, name: 'Example Ventures Ltd', isNameEqual: true },
    taxCheck: check,
    version: 1,
  };
}

export function putProfile(organisationId: string, row: Profile): Promise<void> {
  return putRow('CONSOLE_TABLE', profileKey(organisationId), row);
}

export async function join(
  client: ConsoleClient,
  organisation: Pick<Organisation, 'id' | 'name'>,
  role: Role,
): Promise<PersonView> {
  const { person } = await sessionOf(client);
  await putMember(organisation, person, role);
  const body = { organisation_id: organisation.id };
  const { status, text } = await client.send('POST', '/session/organisation', { body });
  if (status !== 200) throw new Error(`The session could not be moved: ${status} ${text}`);
  return person;
}

/** Returns the rows in the partitions of an organisation and a person, except the person's request counts. */
export async function snapshot(organisationId: string, personId: string): Promise<Row[]> {
  const partitions: readonly (readonly [TableSetting, string])[] = [
    ['API_KEYS_TABLE', organisationKey(organisationId).pk],
    ['API_KEYS_TABLE', apiKeysPk(organisationId)],
    ['CONSOLE_TABLE', consolePk(organisationId)],
    ['CONSOLE_TABLE', personPk(personId)],
    ['AUDIT_TRAIL_TABLE', auditPk(organisationId)],
    ['PAYMENTS_TABLE', billingKey(organisationId).pk],
    ...(['live', 'test'] as const).flatMap((env) => [
      ['WALLETS_TABLE', shardKey({ env, organisationId }, 0).pk] as const,
      ['CONSOLE_TABLE', endpointsPk({ env, organisationId })] as const,
    ]),
  ];
  const rows = await Promise.all(partitions.map(([table, pk]) => rowsOf(table, pk)));
  return rows.flat().filter(({ sk }) => !/^(?:RATE$|MAILS#)/.test(String(sk)));
}
