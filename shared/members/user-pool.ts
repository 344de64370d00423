import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  UsernameExistsException,
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

/**
 * Returns a function that has Cognito email a temporary password to an address, for which it creates an account if
 * there is none. The result is false, and no email is sent, if the person has a password of their own.
 */
export function temporaryPasswords(userPoolId: string): (email: string) => Promise<boolean> {
  const client = cognito();
  return async (email) => {
    const user = { UserPoolId: userPoolId, Username: email };
    const order = { ...user, DesiredDeliveryMediums: ['EMAIL' as const] };
    const UserAttributes = [
      { Name: 'email', Value: email },
      // Only someone who receives emails at the address gets the temporary password.
      { Name: 'email_verified', Value: 'true' },
    ];
    try {
      await client.send(new AdminCreateUserCommand({ ...order, UserAttributes }));
      return true;
    } catch (error) {
      if (!(error instanceof UsernameExistsException)) throw error;
    }
    const { UserStatus } = await client.send(new AdminGetUserCommand(user));
    if (UserStatus !== 'FORCE_CHANGE_PASSWORD') return false;
    await client.send(new AdminCreateUserCommand({ ...order, MessageAction: 'RESEND' }));
    return true;
  };
}
