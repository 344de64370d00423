import * as v from 'valibot';
import type { UserPool } from '../sign-in/user-pools.ts';
import { type AwsResponse, awsError, type Deny } from './aws-response.ts';
import type { Principal } from './principals.ts';

const requestShape = v.object({
  UserPoolId: v.string(),
  ClientId: v.optional(v.string()),
  Username: v.optional(v.string()),
});
type Request = v.InferOutput<typeof requestShape>;

/** The operations of Cognito that functions use. */
const OPERATIONS: Readonly<Record<string, (pool: UserPool, request: Request) => AwsResponse>> = {
  DescribeUserPoolClient: describeClient,
  AdminGetUser: getUser,
};

/** Handles the operations of Cognito that functions use. */
export function cognitoResponse(
  pools: readonly UserPool[],
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
  return respond(pool, request.output);
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

/** Returns the second factors of a person. Cognito leaves the list out if there are none. */
function getUser({ protectedPeople }: UserPool, { Username = '' }: Request): AwsResponse {
  const UserMFASettingList = protectedPeople.has(Username) ? ['SOFTWARE_TOKEN_MFA'] : undefined;
  return { status: 200, content: { Username, Enabled: true, UserStatus: 'CONFIRMED', UserMFASettingList } };
}
