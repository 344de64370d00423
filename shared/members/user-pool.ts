import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { traceCalls } from '../core/trace-client.ts';

/** A call without a response must not use up the time limit of a sign-in. */
const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true } as const;

function cognito(): CognitoIdentityProviderClient {
  const client = new CognitoIdentityProviderClient({ maxAttempts: 3, requestHandler: TIMEOUTS });
  client.middlewareStack.use(traceCalls('CognitoIdentityProvider'));
  return client;
}

/** Returns the secret of the console's Cognito client. Only Cognito stores it. */
export async function readClientSecret(userPoolId: string, clientId: string): Promise<string> {
  const request = new DescribeUserPoolClientCommand({ UserPoolId: userPoolId, ClientId: clientId });
  const { UserPoolClient } = await cognito().send(request);
  if (!UserPoolClient?.ClientSecret) throw new Error('The client of the user pool has no secret.');
  return UserPoolClient.ClientSecret;
}

/**
 * Returns the check whether a person has set up a second factor. Cognito issues tokens at the first sign-in after a
 * sign-up even where the pool requires one, and asks for it at the next sign-in only.
 */
export function secondFactorCheck(userPoolId: string): (subject: string) => Promise<boolean> {
  const client = cognito();
  return async (subject) => {
    const request = new AdminGetUserCommand({ UserPoolId: userPoolId, Username: subject });
    const { UserMFASettingList: factors = [] } = await client.send(request);
    return factors.length > 0;
  };
}
