import { generateKeyPair, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { promisify } from 'node:util';
import Provider, { type Configuration, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { memoryAdapter } from './memory-adapter.ts';
import { LOGOUT_PATH, SIGN_IN_PATH } from './paths.ts';
import { signInErrorPage, signInHeaders } from './sign-in-page.ts';
import type { Person, UserPool, UserPoolClient } from './user-pools.ts';

/** The OpenID provider of one user pool, with Cognito's paths and lifetimes. */

/** Seconds. Cognito's managed login keeps a session for an hour, and a code for five minutes. */
const LIFETIMES = {
  Session: 3_600,
  Grant: 3_600,
  AuthorizationCode: 300,
  IdToken: 3_600,
  AccessToken: 3_600,
  Interaction: 600,
};

export interface IdentityProvider {
  readonly provider: Provider;
  readonly listener: RequestListener;
}

export async function createIdentityProvider(issuer: string, pool: UserPool): Promise<IdentityProvider> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ format: 'jwk' });
  const policy = interactionPolicy.base();
  // People are not asked for their consent, because the client belongs to the service itself.
  policy.remove('consent');
  const configuration: Configuration = {
    clients: pool.clients.map(clientMetadata),
    scopes: ['openid', 'email', 'profile'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // As in Cognito, the ID token contains the claims of the requested scopes.
    conformIdTokenClaims: false,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    jwks: { keys: [{ ...key, use: 'sig', alg: 'RS256', kid: randomBytes(8).toString('hex') }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    adapter: memoryAdapter(),
    ttl: LIFETIMES,
    routes: {
      authorization: '/oauth2/authorize',
      token: '/oauth2/token',
      userinfo: '/oauth2/userInfo',
      jwks: '/.well-known/jwks.json',
    },
    discovery: { end_session_endpoint: issuer + LOGOUT_PATH },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
    },
    interactions: { policy, url: (_context, { uid }) => SIGN_IN_PATH + uid },
    loadExistingGrant: grantEverything,
    findAccount: (_context, id) => accountOf(pool.people.get(id)),
    renderError: (context, { error, error_description }) => {
      context.set(signInHeaders([]));
      context.body = signInErrorPage(error_description ?? error);
    },
  };
  const provider = new Provider(issuer, configuration);
  return { provider, listener: provider.callback() };
}

function clientMetadata({ id, name, secret, scopes, callbackUrls }: UserPoolClient) {
  return {
    client_id: id,
    client_name: name,
    client_secret: secret,
    redirect_uris: [...callbackUrls],
    scope: scopes.join(' '),
    response_types: ['code' as const],
    grant_types: ['authorization_code'],
    // Cognito's ID tokens always have `auth_time`.
    require_auth_time: true,
  };
}

async function grantEverything({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc;
  if (!client || !session?.accountId) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(client.scope ?? 'openid');
  await grant.save();
  return grant;
}

function accountOf(person: Person | undefined) {
  if (!person) return undefined;
  const { id, email, name } = person;
  return { accountId: id, claims: () => ({ sub: id, email, email_verified: true, name }) };
}
