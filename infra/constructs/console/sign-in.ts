import { Duration } from 'aws-cdk-lib';
import {
  CfnManagedLoginBranding,
  ClientAttributes,
  type IUserPool,
  ManagedLoginVersion,
  OAuthScope,
  UserPoolClient,
  UserPoolClientIdentityProvider,
  UserPoolDomain,
} from 'aws-cdk-lib/aws-cognito';
import { Construct } from 'constructs';
import { CONSOLE_API, CONSOLE_ROUTES } from '../../../shared/http/console/routes.ts';
import type { ConsoleConfig } from '../../config.ts';

/** The functions keep no Cognito tokens, so the shortest validity that Cognito accepts is enough. */
const SHORTEST_TOKEN = Duration.minutes(5);
const SHORTEST_REFRESH_TOKEN = Duration.hours(1);
const SIGN_IN_MINUTES = 10;

/** On a laptop, the port of the console is chosen when it starts (RFC 8252, 7.3). */
const LOCAL_ORIGINS = ['http://localhost', 'http://127.0.0.1'];

interface SignInProps {
  readonly userPool: IUserPool;
  readonly console: ConsoleConfig;
}

/** The Cognito sign-in pages, and the client that the console's functions use for them. */
export class SignIn extends Construct {
  readonly clientId: string;

  constructor(scope: Construct, id: string, { userPool, console: { domain, signInPrefix } }: SignInProps) {
    super(scope, id);
    const origins = domain ? [`https://${domain.name}`] : LOCAL_ORIGINS;
    const signInDomain = new UserPoolDomain(this, 'Domain', {
      userPool,
      cognitoDomain: { domainPrefix: signInPrefix },
      managedLoginVersion: ManagedLoginVersion.NEWER_MANAGED_LOGIN,
    });
    const client = new UserPoolClient(this, 'Client', {
      userPool,
      // Only functions exchange codes for tokens.
      generateSecret: true,
      // Managed login offers the pool's first factors through this flow.
      authFlows: { user: true },
      authSessionValidity: Duration.minutes(SIGN_IN_MINUTES),
      preventUserExistenceErrors: true,
      supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: origins.map((origin) => origin + CONSOLE_API + CONSOLE_ROUTES['finish-sign-in'].path),
        logoutUrls: origins.map((origin) => `${origin}/sign-in`),
      },
      readAttributes: new ClientAttributes().withStandardAttributes({
        email: true,
        emailVerified: true,
        fullname: true,
      }),
      writeAttributes: new ClientAttributes().withStandardAttributes({ email: true, fullname: true }),
      accessTokenValidity: SHORTEST_TOKEN,
      idTokenValidity: SHORTEST_TOKEN,
      refreshTokenValidity: SHORTEST_REFRESH_TOKEN,
      enableTokenRevocation: true,
    });
    const branding = new CfnManagedLoginBranding(this, 'Branding', {
      userPoolId: userPool.userPoolId,
      clientId: client.userPoolClientId,
      useCognitoProvidedValues: true,
    });
    branding.node.addDependency(signInDomain);
    this.clientId = client.userPoolClientId;
  }
}
