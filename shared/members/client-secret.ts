import {
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { traceCalls } from '../core/trace-client.ts';

/** A call without a response must not use up the time limit of a sign-in. */
const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true } as const;

/** Returns the secret of the console's Cognito client. Only Cognito stores it. */
export async function readClientSecret(userPoolId: string, clientId: string): Promise<string> {
  const client = new CognitoIdentityProviderClient({ maxAttempts: 3, requestHandler: TIMEOUTS });
  client.middlewareStack.use(traceCalls('CognitoIdentityProvider'));
  const request = new DescribeUserPoolClientCommand({ UserPoolId: userPoolId, ClientId: clientId });
  const { UserPoolClient } = await client.send(request);
  if (!UserPoolClient?.ClientSecret) throw new Error('The client of the user pool has no secret.');
  return UserPoolClient.ClientSecret;
}
