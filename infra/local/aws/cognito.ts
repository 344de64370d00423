import * as v from 'valibot';
import type { UserPool } from '../sign-in/user-pools.ts';
import { type AwsResponse, awsError, type Deny } from './aws-response.ts';
import type { Principal } from './principals.ts';

const requestShape = v.object({ UserPoolId: v.string(), ClientId: v.string() });

/** Handles the only operation of Cognito that functions use: `DescribeUserPoolClient` returns the client's secret. */
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
  if (operation !== 'DescribeUserPoolClient')
    return awsError('InvalidParameterException', `The local runtime does not support ${action}.`);
  const client = request.success ? pool?.clients.find(({ id }) => id === request.output.ClientId) : undefined;
  if (!pool || !client) return awsError('ResourceNotFoundException', 'User pool client does not exist.');
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
