import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  type IdentityProvider,
  identityProvider,
  isFaultOfProvider,
} from '../../../shared/members/identity-provider.ts';
import { newSignInAttempt, type SignInAttempt } from '../../../shared/members/sign-in-attempt.ts';

/** OpenID Connect as Cognito implements it. URLs and token claims are as in its developer guide. */

const ISSUER = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_EXAMPLE';
const DOMAIN = 'https://console-example.auth.eu-west-1.amazoncognito.com';
const OTHER_ISSUER = 'https://id.example.com';
const CALLBACK = 'https://console.example.com/console/api/session/callback';
const CLIENT_ID = '1example23456789';
const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const OTHER_KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });

interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: URLSearchParams;
}

let issuer: string;
let metadata: Record<string, unknown>;
let claims: Record<string, unknown>;
let signingKey: typeof KEYS.privateKey;
let tokenError: { status: number; body: object } | undefined;
let sent: Sent[];
let secrets: number;
let attempt: SignInAttempt;

beforeEach(() => {
  issuer = ISSUER;
  metadata = {
    authorization_endpoint: `${DOMAIN}/oauth2/authorize`,
    token_endpoint: `${DOMAIN}/oauth2/token`,
    end_session_endpoint: `${DOMAIN}/logout`,
    id_token_signing_alg_values_supported: ['RS256'],
    response_types_supported: ['code', 'token'],
    subject_types_supported: ['public'],
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
  signingKey = KEYS.privateKey;
  tokenError = undefined;
  sent = [];
  secrets = 0;
  attempt = newSignInAttempt({ to: '/', startedAtMs: Date.now(), isAgain: false, previous: undefined });
  const nowSeconds = Math.floor(Date.now() / 1000);
  claims = {
    sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
    aud: CLIENT_ID,
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada Obi',
    'cognito:username': 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
    token_use: 'id',
    nonce: attempt.nonce,
    auth_time: nowSeconds - 30,
    iat: nowSeconds,
    exp: nowSeconds + 300,
  };
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { url, headers } = new Request(input, init);
    sent.push({ url, headers, body: new URLSearchParams(String(init?.body ?? '')) });
    return respond(url);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

function respond(url: string): Response {
  if (url === `${issuer}/.well-known/openid-configuration`)
    return Response.json({ issuer, jwks_uri: `${issuer}/.well-known/jwks.json`, ...metadata });
  if (url === `${issuer}/.well-known/jwks.json`) {
    const key = KEYS.publicKey.export({ format: 'jwk' });
    return Response.json({ keys: [{ ...key, kid: 'one', use: 'sig', alg: 'RS256' }] });
  }
  if (url !== `${DOMAIN}/oauth2/token`) throw new Error(`There is nothing at ${url}.`);
  if (tokenError) return Response.json(tokenError.body, { status: tokenError.status });
  return Response.json({
    access_token: 'access',
    id_token: idToken(),
    token_type: 'Bearer',
    expires_in: 300,
  });
}

function idToken(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'RS256', kid: 'one' })}.${part({ iss: issuer, ...claims })}`;
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), signingKey).toString('base64url')}`;
}

function newProvider(): IdentityProvider {
  return identityProvider({
    issuer,
    clientId: CLIENT_ID,
    clientSecret: async () => {
      secrets += 1;
      return 'client+secret';
    },
    isLocal: false,
  });
}

const finish = (provider = newProvider(), query: Record<string, string> = {}) =>
  provider.finish(
    attempt,
    `${CALLBACK}?${new URLSearchParams({ code: 'abc', state: attempt.state, ...query })}`,
  );

describe('the start of a sign-in', () => {
  test('asks for a code with PKCE, state and nonce', async () => {
    const url = new URL(await newProvider().signInUrl(attempt, CALLBACK));
    expect(url.origin + url.pathname).toBe(`${DOMAIN}/oauth2/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT_ID,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
  });

  test('asks for the credentials again if the sign-in must be recent', async () => {
    const url = new URL(await newProvider().signInUrl({ ...attempt, isAgain: true }, CALLBACK));
    expect([url.searchParams.get('prompt'), url.searchParams.get('max_age')]).toEqual(['login', null]);
  });

  test('sends max_age to identity providers other than Cognito: 12 hours, or 0 for a recent sign-in', async () => {
    issuer = OTHER_ISSUER;
    const maxAge = async (isAgain: boolean) =>
      new URL(await newProvider().signInUrl({ ...attempt, isAgain }, CALLBACK)).searchParams.get('max_age');
    expect([await maxAge(false), await maxAge(true)]).toEqual(['43200', '0']);
  });

  test('reads the addresses and the secret once per instance, and again after a failure', async () => {
    const provider = newProvider();
    jest.mocked(fetch).mockRejectedValueOnce(new TypeError('made up'));
    await expect(provider.signInUrl(attempt, CALLBACK)).rejects.toThrow();
    await Promise.all([provider.signInUrl(attempt, CALLBACK), provider.signInUrl(attempt, CALLBACK)]);
    expect([secrets, sent.length]).toEqual([2, 1]);
  });
});

describe('the end of a sign-in', () => {
  test('exchanges the code with the secret and the verifier, and returns who signed in', async () => {
    const identity = await finish();
    expect(identity).toEqual({
      subject: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
      email: 'ada@example.com',
      isEmailVerified: true,
      name: 'Ada Obi',
      signedInAtMs: Number(claims['auth_time']) * 1000,
      idToken: undefined,
    });
    const exchange = sent.find(({ url }) => url.endsWith('/oauth2/token'));
    const credentials = Buffer.from(`${CLIENT_ID}:${encodeURIComponent('client+secret')}`).toString('base64');
    expect(exchange?.headers.get('authorization')).toBe(`Basic ${credentials}`);
    expect(Object.fromEntries(exchange?.body ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: 'abc',
      redirect_uri: CALLBACK,
      code_verifier: attempt.verifier,
    });
  });

  test.each([
    ['of another client', { aud: 'other' }],
    ['of another issuer', { iss: OTHER_ISSUER }],
    ['with the nonce of another browser', { nonce: 'other' }],
    ['without a nonce', { nonce: undefined }],
    ['that has expired', { exp: 1_700_000_000 }],
    ['without an address', { email: undefined }],
    ['without the time of the credentials', { auth_time: undefined }],
    [
      'with credentials from over 12 hours ago',
      { auth_time: Math.floor(Date.now() / 1000) - 12 * 3600 - 60 },
    ],
  ])('rejects a token %s', async (_, changes) => {
    Object.assign(claims, changes);
    await expect(finish()).rejects.toThrow();
  });

  test('rejects a token that someone else has signed', async () => {
    signingKey = OTHER_KEYS.privateKey;
    await expect(finish()).rejects.toThrow();
  });

  test('rejects the state of another browser before it sends the code', async () => {
    await expect(finish(newProvider(), { state: 'other' })).rejects.toThrow();
    expect(sent.filter(({ url }) => url.endsWith('/oauth2/token'))).toEqual([]);
  });

  test.each([[undefined], [false]])(
    'does not treat the email address as verified if email_verified is %p',
    async (verified) => {
      claims['email_verified'] = verified;
      expect((await finish()).isEmailVerified).toBe(false);
    },
  );

  test('does not count invalid data from the browser as a fault of the identity provider', async () => {
    const faultOf = async (query = {}) =>
      isFaultOfProvider(await finish(newProvider(), query).catch((e) => e));
    expect(await faultOf({ error: 'access_denied', code: '' })).toBe(false);
    // Anyone can edit the URL of the callback in their own browser. This must not page an operator.
    for (const query of [{ code: '' }, { response: 'x' }, { id_token: 'x' }, { iss: OTHER_ISSUER }])
      expect([query, await faultOf(query)]).toEqual([query, false]);
    tokenError = { status: 400, body: { error: 'invalid_grant' } };
    expect(await faultOf()).toBe(false);
    tokenError = { status: 400, body: { error: 'invalid_client' } };
    expect(await faultOf()).toBe(true);
    tokenError = { status: 500, body: {} };
    expect(await faultOf()).toBe(true);
  });
});

describe('the sign-out', () => {
  const RETURN_TO = 'https://console.example.com/sign-in';

  test('at Cognito names the client and the address to which the browser returns', async () => {
    const url = new URL(await newProvider().signOutUrl(RETURN_TO, undefined));
    expect(url.origin + url.pathname).toBe(`${DOMAIN}/logout`);
    expect(Object.fromEntries(url.searchParams)).toEqual({ client_id: CLIENT_ID, logout_uri: RETURN_TO });
  });

  test('at Cognito needs no sign-out address in the discovery document', async () => {
    metadata['end_session_endpoint'] = undefined;
    expect(await newProvider().signOutUrl(RETURN_TO, undefined)).toMatch(`${DOMAIN}/logout?client_id=`);
  });

  test('at other identity providers follows OpenID Connect, with the token as the hint', async () => {
    issuer = OTHER_ISSUER;
    const provider = newProvider();
    const { idToken: hint } = await finish(provider);
    expect(hint).toMatch(/^ey/);
    const url = new URL(await provider.signOutUrl(RETURN_TO, hint));
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT_ID,
      post_logout_redirect_uri: RETURN_TO,
      id_token_hint: hint,
    });
  });

  test('leads directly to the return address if the identity provider has no sign-out', async () => {
    issuer = OTHER_ISSUER;
    metadata['end_session_endpoint'] = undefined;
    expect(await newProvider().signOutUrl(RETURN_TO, undefined)).toBe(RETURN_TO);
  });
});
