import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as oidc from 'openid-client';
import { listen } from '../../infra/local/http-server.ts';
import { userPoolsOf } from '../../infra/local/sign-in/user-pools.ts';
import { startSignIn } from '../../infra/local/sign-in.ts';
import { Deployment, type JsonObject } from '../../infra/local/templates/template.ts';
import { startBrowser } from '../support/browser.ts';
import {
  COLOUR_SCHEMES,
  layoutProblems,
  smallTargets,
  violations,
  WIDTHS_PX,
  withPage,
} from '../support/page-checks.ts';

/** The test double for Cognito, as the functions and a browser use it. */

const consoleDouble = await listen(createServer((_request, response) => response.end('the console')));
afterAll(consoleDouble.close);
const CONSOLE = consoleDouble.url;
const CALLBACK = `${CONSOLE}/console/api/session/callback`;
function deploymentWith(client: JsonObject = {}): Deployment {
  const Resources = {
    Pool: { Type: 'AWS::Cognito::UserPool' },
    Client: {
      Type: 'AWS::Cognito::UserPoolClient',
      Properties: {
        UserPoolId: { Ref: 'Pool' },
        GenerateSecret: true,
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: ['openid', 'email', 'profile'],
        CallbackURLs: ['http://127.0.0.1/console/api/session/callback'],
        LogoutURLs: ['http://127.0.0.1/sign-in'],
        ...client,
      },
    },
  };
  return new Deployment([{ name: 's', template: { Resources } }]);
}

const [pool] = userPoolsOf(deploymentWith(), CONSOLE);
const client = pool?.clients[0];
if (!pool || !client) throw new Error('no user pool');
const { url: issuer, close } = await startSignIn(pool);
afterAll(close);

const browser = await startBrowser();
afterAll(() => browser?.close());
const browserTest = browser ? test : test.skip;
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is no browser.');
  return value;
}

const insecure = { execute: [oidc.allowInsecureRequests] };
const discover = (secret = client.secret) =>
  oidc.discovery(new URL(issuer), client.id, secret, undefined, insecure);

/** A browser without a window: it follows redirects to the provider, and stops at all others. */
class Visitor {
  readonly #cookies = new Map<string, string>();

  async open(
    address: string,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ url: URL; response: Response }> {
    let url = new URL(address, issuer);
    let response = await this.#fetch(url, form);
    while (response.status >= 300 && response.status < 400) {
      url = new URL(response.headers.get('location') ?? '', url);
      if (url.origin !== issuer) break;
      response = await this.#fetch(url);
    }
    return { url, response };
  }

  async #fetch(url: URL, form?: Readonly<Record<string, string>>): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

async function authorisation(parameters: Readonly<Record<string, string>> = {}) {
  const config = await discover();
  const verifier = oidc.randomPKCECodeVerifier();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid email profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    nonce: 'nonce-1',
    state: 'state-1',
    ...parameters,
  });
  const claims = async (callback: URL, settings: object = {}) => {
    const checks = { pkceCodeVerifier: verifier, expectedState: 'state-1', expectedNonce: 'nonce-1' };
    const tokens = await oidc.authorizationCodeGrant(config, callback, { ...checks, ...settings });
    return tokens.claims();
  };
  return { url: url.href, claims };
}

async function signIn(form: Readonly<Record<string, string>>, visitor = new Visitor()) {
  const { url, claims } = await authorisation();
  const page = await visitor.open(url);
  const { url: callback } = await visitor.open(page.url.href, form);
  return claims(callback);
}

describe('a sign-in', () => {
  test('is not repeated within its session, unless the client asks for it', async () => {
    const visitor = new Visitor();
    const first = await signIn({ email: 'bola.developer@example.com' }, visitor);
    const again = await authorisation();
    const { url } = await visitor.open(again.url);
    expect((await again.claims(url))?.['auth_time']).toBe(first?.['auth_time']);
    for (const parameters of [{ prompt: 'login' }, { max_age: '0' }]) {
      const page = await visitor.open((await authorisation(parameters)).url);
      expect([page.response.status, page.url.pathname]).toEqual([200, expect.stringMatching(/^\/sign-in\//)]);
    }
  });

  test('requires the code verifier and the client secret', async () => {
    const visitor = new Visitor();
    const { url, claims } = await authorisation();
    const page = await visitor.open(url);
    const { url: callback } = await visitor.open(page.url.href, { email: 'bola.developer@example.com' });
    const wrongVerifier = { pkceCodeVerifier: oidc.randomPKCECodeVerifier() };
    await expect(claims(callback, wrongVerifier)).rejects.toMatchObject({ error: 'invalid_grant' });

    const withoutPkce = await authorisation({ code_challenge: '', code_challenge_method: '' });
    const { url: rejected } = await new Visitor().open(withoutPkce.url);
    expect(rejected.searchParams.get('error')).toBe('invalid_request');

    const checks = { pkceCodeVerifier: 'x'.repeat(43), expectedState: 'state-1', expectedNonce: 'nonce-1' };
    await expect(
      oidc.authorizationCodeGrant(await discover('wrong'), callback, checks),
    ).rejects.toMatchObject({ error: 'invalid_client' });
  });

  test('that another browser started is rejected', async () => {
    const page = await new Visitor().open((await authorisation()).url);
    const { response } = await new Visitor().open(page.url.href, { email: 'ada@example.com' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('was started in another browser');
  });
});

describe('the page', () => {
  const sizes = WIDTHS_PX.flatMap((width) => COLOUR_SCHEMES.map((scheme) => [width, scheme] as const));
  browserTest.each(sizes)('is usable in a browser at %d px, %s', async (width, colorScheme) => {
    const problems: string[] = [];
    const { url, claims } = await authorisation();
    const options = { viewport: { width, height: 720 }, colorScheme };
    await withPage(required(browser), 'http://', problems, options, async (page) => {
      await page.goto(url);
      problems.push(
        ...(await violations(page)),
        ...(await layoutProblems(page)),
        ...(await smallTargets(page)),
      );
      await page.fill('input[name=email]', 'not an address');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').waitFor();
      problems.push(...(await violations(page)), ...(await layoutProblems(page)));
      // The form redirects to the console, which is a different origin, so the content security policy must allow it.
      await page.getByRole('button', { name: /^Dayo Bello, viewer/ }).click();
      await page.waitForURL(`${CONSOLE}/**`);
      expect(await claims(new URL(page.url()))).toMatchObject({ email: 'dayo.viewer@example.com' });
    });
    expect(problems).toEqual([]);
  });
});

test.each<[string, JsonObject, string]>([
  ['without a secret', { GenerateSecret: false }, 'GenerateSecret'],
  ['with the implicit flow', { AllowedOAuthFlows: ['implicit'] }, 'AllowedOAuthFlows'],
  ['with another scope', { AllowedOAuthScopes: ['openid', 'phone'] }, 'AllowedOAuthScopes'],
])('a client %s is an error that names the setting', (_what, properties, name) => {
  expect(() => userPoolsOf(deploymentWith(properties), CONSOLE)).toThrow(`(Client):\n- ${name}`);
});
