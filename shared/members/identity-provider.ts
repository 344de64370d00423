import * as openid from 'openid-client';
import * as v from 'valibot';
import { ServiceError } from '../core/errors.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';

export interface Identity {
  /** The subject: the ID of the person at the identity provider. */
  readonly subject: string;
  readonly email: string;
  readonly isEmailVerified: boolean;
  /** Absent if the person has not entered a name. */
  readonly name: string | undefined;
  /** When the person entered their credentials, in epoch milliseconds. */
  readonly signedInAtMs: number;
  /** The token that identifies the session to the identity provider at sign-out. Absent if the provider needs none. */
  readonly idToken: string | undefined;
}

/** The identity provider of the console (OpenID Connect): Amazon Cognito, or locally a test double. */
export type IdentityProvider = ReturnType<typeof identityProvider>;

interface IdentityProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: () => Promise<string>;
  /** Whether the issuer may have an `http:` address, which it has locally. */
  readonly isLocal: boolean;
}

/** A session can begin only if the sign-in at the identity provider is at most this old. */
const MAX_AGE_SECONDS = 12 * 3600;
/** The timeout of one request. It is longer locally, where the tests use the same processors. */
const TIMEOUT_SECONDS = { aws: 5, local: 20 } as const;
/** Parameters of response types that we never request. */
const OTHER_FLOWS = ['response', 'id_token', 'token', 'access_token'];
const SCOPE = 'openid email profile';
/** Cognito's sign-out has its own parameters (developer guide, "Logout endpoint"). */
const COGNITO = /^https:\/\/cognito-idp\.[a-z0-9-]+\.amazonaws\.com\//;

const claims = v.object({
  sub: v.string(),
  email: v.string(),
  email_verified: v.optional(v.boolean(), false),
  name: v.optional(v.string()),
  auth_time: v.number(),
});

/** Returns the identity provider. Its addresses are read once per instance, and again if reading them failed. */
export function identityProvider(settings: IdentityProviderSettings) {
  const { issuer, clientId } = settings;
  let known: Promise<openid.Configuration> | undefined;
  const configuration = () => {
    known ??= discover(settings);
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
  const isCognito = COGNITO.test(issuer);
  return {
    /** Returns the address at which the browser signs in. */
    async signInUrl(
      { state, nonce, verifier, isAgain }: SignInAttempt,
      callbackUrl: string,
    ): Promise<string> {
      const url = openid.buildAuthorizationUrl(await configuration(), {
        redirect_uri: callbackUrl,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isAgain && { prompt: 'login' }),
        // Cognito does not support this parameter, and always returns `auth_time`. Other providers return it only if
        // this parameter is present.
        ...(!isCognito && { max_age: isAgain ? '0' : String(MAX_AGE_SECONDS) }),
      });
      return url.href;
    },
    /**
     * Exchanges the code in the redirect address for a token. Returns the identity in the token. Throws if the state,
     * nonce or token is wrong.
     */
    async finish({ state, nonce, verifier }: SignInAttempt, currentUrl: string): Promise<Identity> {
      const url = new URL(currentUrl);
      if (!isResponse(url.searchParams, issuer)) throw new ServiceError('SIGN_IN_FAILED');
      const tokens = await openid.authorizationCodeGrant(await configuration(), url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        maxAge: MAX_AGE_SECONDS,
      });
      const { sub, email, email_verified, name, auth_time } = v.parse(claims, tokens.claims());
      return {
        subject: sub,
        email,
        isEmailVerified: email_verified,
        name,
        signedInAtMs: auth_time * 1000,
        idToken: isCognito ? undefined : tokens.id_token,
      };
    },
    /**
     * Returns the address that ends the browser's session at the identity provider and then redirects to `returnTo`.
     */
    async signOutUrl(returnTo: string, idToken: string | undefined): Promise<string> {
      const config = await configuration();
      const { end_session_endpoint: endpoint, authorization_endpoint: authorization = '' } =
        config.serverMetadata();
      if (isCognito) {
        const url = new URL(endpoint ?? '/logout', authorization || undefined);
        url.search = new URLSearchParams({ client_id: clientId, logout_uri: returnTo }).toString();
        return url.href;
      }
      if (endpoint === undefined) return returnTo;
      const hint = idToken === undefined ? undefined : { id_token_hint: idToken };
      return openid.buildEndSessionUrl(config, { post_logout_redirect_uri: returnTo, ...hint }).href;
    },
  };
}

/** Whether an identity provider could have sent this response. Otherwise, someone has edited the address. */
function isResponse(parameters: URLSearchParams, issuer: string): boolean {
  const names = [...parameters.keys()];
  const isCodeOrError = Boolean(parameters.get('code')) || Boolean(parameters.get('error'));
  const isOfIssuer = (parameters.get('iss') ?? issuer) === issuer;
  const isOtherFlow = OTHER_FLOWS.some((name) => parameters.has(name));
  return isCodeOrError && isOfIssuer && !isOtherFlow && new Set(names).size === names.length;
}

async function discover(settings: IdentityProviderSettings): Promise<openid.Configuration> {
  const { issuer, clientId, clientSecret, isLocal } = settings;
  const authentication = openid.ClientSecretBasic(await clientSecret());
  const config = await openid.discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: isLocal ? TIMEOUT_SECONDS.local : TIMEOUT_SECONDS.aws,
    execute: isLocal ? [openid.allowInsecureRequests] : [],
  });
  // The signature of each token is verified, although the token comes directly from the identity provider.
  openid.enableNonRepudiationChecks(config);
  return config;
}

/**
 * Whether a sign-in failed because of the identity provider or our settings. False if the cause is in the address that
 * the browser opened: an error from the provider, or a code that is no longer valid.
 */
export function isFaultOfProvider(error: unknown): boolean {
  if (error instanceof openid.AuthorizationResponseError || error instanceof ServiceError) return false;
  return !(error instanceof openid.ResponseBodyError && error.error === 'invalid_grant');
}
