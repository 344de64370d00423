import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { personIdOf } from '../demo-members.ts';
import type { UserPool } from '../sign-in/user-pools.ts';
import { type AwsResponse, awsError, type Deny } from './aws-response.ts';
import type { Mailbox } from './mail.ts';
import type { Principal } from './principals.ts';

const requestShape = v.object({
  UserPoolId: v.string(),
  ClientId: v.optional(v.string()),
  Username: v.optional(v.string()),
  MessageAction: v.optional(v.picklist(['RESEND', 'SUPPRESS'])),
  TemporaryPassword: v.optional(v.string()),
});
type Request = v.InferOutput<typeof requestShape>;

/** The operations of Cognito that functions use. */
const OPERATIONS: Readonly<
  Record<string, (pool: UserPool, request: Request, mailbox?: Mailbox) => AwsResponse>
> = {
  DescribeUserPoolClient: describeClient,
  AdminGetUser: getUser,
  AdminCreateUser: createUser,
};

/** Handles the operations of Cognito that functions use. */
export function cognitoResponse(
  { userPools: pools = [], mailbox }: { userPools?: readonly UserPool[]; mailbox?: Mailbox },
  principal: Principal,
  operation: string,
  body: unknown,
  deny: Deny,
): AwsResponse {
  const action = `cognito-idp:${operation}`;
  const request = v.safeParse(requestShape, body);
  const pool = request.success ? pools.find(({ id }) => id === request.output.UserPoolId) : undefined;
  const resource = pool?.arn ?? '*';
  if (!principal.authorise(action, resource)) return deny(action, resource);
  const respond = OPERATIONS[operation];
  if (!respond) return awsError('InvalidParameterException', `The local runtime does not support ${action}.`);
  if (!pool || !request.success) return awsError('ResourceNotFoundException', 'User pool does not exist.');
  return respond(pool, request.output, mailbox);
}

/** Returns the client with its secret. */
function describeClient(pool: UserPool, { ClientId }: Request): AwsResponse {
  const client = pool.clients.find(({ id }) => id === ClientId);
  if (!client) return awsError('ResourceNotFoundException', 'User pool client does not exist.');
  const UserPoolClient = {
    UserPoolId: pool.id,
    ClientId: client.id,
    ClientName: client.name,
    ClientSecret: client.secret,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthScopes: client.scopes,
    CallbackURLs: client.callbackUrls,
    LogoutURLs: client.logoutUrls,
  };
  return { status: 200, content: { UserPoolClient } };
}

/** `Username` is an ID or an email address. */
const personIn = ({ people }: UserPool, { Username = '' }: Request) =>
  people.get(Username) ?? people.get(personIdOf(Username));

/** Returns the second factors of a person. Cognito leaves the list out if there are none. */
function getUser(pool: UserPool, request: Request): AwsResponse {
  const person = personIn(pool, request);
  if (!person) return awsError('UserNotFoundException', 'User does not exist.');
  const UserStatus = person.temporaryPassword === undefined ? 'CONFIRMED' : 'FORCE_CHANGE_PASSWORD';
  const UserMFASettingList = person.isProtected ? ['SOFTWARE_TOKEN_MFA'] : undefined;
  return { status: 200, content: { Username: person.id, Enabled: true, UserStatus, UserMFASettingList } };
}

/** Creates a person, or gives one who has not signed in a new temporary password. Emails the password. */
function createUser(pool: UserPool, request: Request, mailbox?: Mailbox): AwsResponse {
  const known = personIn(pool, request);
  const { Username = '', MessageAction, TemporaryPassword = randomBytes(9).toString('base64url') } = request;
  if (known && MessageAction !== 'RESEND')
    return awsError('UsernameExistsException', 'User account already exists');
  if (known && known.temporaryPassword === undefined)
    return awsError(
      'UnsupportedUserStateException',
      'Resend not possible. Status is not FORCE_CHANGE_PASSWORD.',
    );
  const email = Username.toLowerCase();
  const person = known ?? { id: personIdOf(email), email, name: nameIn(email), isProtected: false };
  pool.people.set(person.id, { ...person, temporaryPassword: TemporaryPassword });
  if (MessageAction !== 'SUPPRESS')
    mailbox?.write(
      [
        ['From', 'no-reply@verificationemail.com'],
        ['To', email],
        ['Subject', 'Your account in the account console'],
      ],
      `Sign in with ${email} and the temporary password ${TemporaryPassword} within a day.`,
    );
  return { status: 200, content: { User: { Username: person.id, UserStatus: 'FORCE_CHANGE_PASSWORD' } } };
}

/** Returns a name for an address: `ada.eze@example.com` becomes Ada Eze. */
function nameIn(email: string): string {
  const words = email
    .slice(0, email.lastIndexOf('@'))
    .split(/[.+_-]+/)
    .filter(Boolean);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
