import './environment.ts';

import { afterAll, describe, expect, test } from '@jest/globals';
import { isPrivateAddress, publicLookup } from '../../shared/core/public-address.ts';
import { signRequest } from '../../shared/core/sign-request.ts';
import { LIVE_PROVIDER_NAMES } from '../../shared/registries/providers/catalogue.ts';
import { liveProvider } from '../../shared/registries/providers/make-provider.ts';
import { sandboxProvider } from '../../shared/registries/providers/sandbox/sandbox.ts';
import { SECRET_HEADER } from '../../shared/registries/sandbox/protocol.ts';
import { checkBaseUrl } from '../../shared/registries/transport/address.ts';
import { functionsOf, resourcesOf, synthesize } from '../infra/synthesis.ts';
import { BEHAVIOURS, type Behaviour, startHostileServer } from '../support/registries/hostile-server.ts';
import { unsigned } from '../support/sandbox-server.ts';
import { get, number, organisation, post, readSecret } from '../support/service.ts';
import { expectHarmless, rawPost, sendRaw, writtenSoFar } from './attack.ts';
import { captureLines } from './captured.ts';

/**
 * Attacks on the infrastructure (S45, S46, S48, S50 to S52, S55), and some of the OWASP API Security Top 10 that are
 * not in the table in docs/design/attacks.md.
 */

const lines = captureLines();
const hostile = await startHostileServer();
afterAll(() => hostile.stop());
const NO_ROUTE = { status: 404, code: 'ROUTE_NOT_FOUND' };
const { api, functions: invoked } = synthesize();
const functions = functionsOf(invoked, api);

describe('infrastructure', () => {
  test('S45: a registry address inside the network', async () => {
    const rules = { hosts: ['api.registry.example'], allowLocal: false };
    const addresses = [
      ...[
        'http://api.registry.example',
        'https://api.registry.example@169.254.169.254',
        'file:///etc/passwd',
      ],
      ...[
        'https://169.254.169.254/latest/meta-data',
        'https://127.0.0.1',
        'https://[::1]',
        'https://2130706433',
      ],
      ...[
        'https://api.registry.example.evil.example',
        'https://10.0.0.1',
        'https://api.registry.example:8443',
      ],
      ...['https://u:p@api.registry.example', 'gopher://api.registry.example', 'https://localhost', ''],
    ];
    for (const text of addresses) expect(() => checkBaseUrl(text, rules)).toThrow(/^A registry base address/);
    // The sandbox's address is checked when the instance starts, and a provider's before each use of its account.
    for (const text of addresses.filter((one) => !/127|::1|localhost|2130706433/.test(one)))
      expect(() => sandboxProvider({ url: text, secret: async () => '', sign: unsigned })).toThrow();
    for (const name of LIVE_PROVIDER_NAMES) {
      const evil = {
        apiKey: 'k',
        appId: 'a',
        clientId: 'c',
        secret: 's',
        baseUrl: 'https://169.254.169.254',
      };
      const provider = liveProvider(name, { credentials: async () => evil, allowLocal: false });
      const [idType] = Object.keys(provider.idTypes) as ['NIN'];
      const query = { idType, number: '12345678901', level: 'basic', deadlineMs: Date.now() + 1000 } as const;
      expect(await provider.lookUp(query)).toMatchObject({ kind: 'unreachable', detail: 'not-configured' });
    }
    // A name that resolves to a private address at the time of the call.
    const code = await new Promise((resolve) =>
      publicLookup('localhost', { all: true }, (error) => resolve((error as NodeJS.ErrnoException)?.code)),
    );
    expect(code).toBe('EPRIVATEADDRESS');
    expect(['10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1'].every(isPrivateAddress)).toBe(true);
  });

  test("S46: a registry's credentials in errors and logs", async () => {
    const canary = 'canary-credential-1f7c9';
    const account = {
      apiKey: canary,
      appId: canary,
      clientId: canary,
      secret: canary,
      baseUrl: hostile.baseUrl,
    };
    const responses: unknown[] = [];
    for (const behaviour of Object.keys(BEHAVIOURS) as Behaviour[]) {
      hostile.behaviour = behaviour;
      for (const name of LIVE_PROVIDER_NAMES) {
        const provider = liveProvider(name, { credentials: async () => account, allowLocal: true });
        const [idType] = Object.keys(provider.idTypes) as ['NIN'];
        const query = { idType, number: '12345678901', level: 'basic', deadlineMs: Date.now() + 40 } as const;
        responses.push(await provider.lookUp(query));
      }
    }
    expect(responses.length).toBeGreaterThan(80);
    expect(JSON.stringify(responses) + lines.join('\n')).not.toContain(canary);
    expect(lines.join('\n')).not.toContain(Buffer.from(canary).toString('base64').slice(0, 20));
  });

  test('S51: a flood of an unknown route', async () => {
    const responses = await Promise.all(Array.from({ length: 60 }, () => get('/v1/flood', { headers: {} })));
    for (const response of responses) expectHarmless(response, NO_ROUTE);
    // The function for unknown routes has no access to tables or secrets, and the stage is throttled.
    const unknown = functions.filter(({ name }) => name === 'unknown-route');
    expect(unknown).toHaveLength(1);
    for (const { environment, statements } of unknown) {
      expect(Object.keys(environment).filter((name) => /_TABLE$|_SECRET$/.test(name))).toEqual([]);
      expect(JSON.stringify(statements)).not.toContain('dynamodb');
    }
    const stages = [...resourcesOf(api, 'AWS::ApiGateway::Stage').values()];
    expect(JSON.stringify(stages)).toMatch(/"ThrottlingRateLimit":\d+/);
  });

  test('S55: the sandbox registry, called directly', async () => {
    const url = new URL(process.env['SANDBOX_URL'] ?? '');
    const { current = '' } = await readSecret('SANDBOX');
    const body = { id_type: 'NIN', number: number() };
    const call = async (headers: Record<string, string>) => {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, text: await response.text() };
    };
    const signed = await signRequest({ url, body });

    expect(await call({ [SECRET_HEADER]: current })).toEqual({
      status: 403,
      text: '{"Message":"Forbidden"}',
    });
    const guessed = {
      ...signed,
      authorization: 'AWS4-HMAC-SHA256 Credential=guessed/x/y/lambda/aws4_request',
    };
    expect((await call({ ...guessed, [SECRET_HEADER]: current })).status).toBe(403);
    expect((await call({ ...signed, [SECRET_HEADER]: 'guessed' })).status).toBe(401);
    expect((await call({ ...signed, [SECRET_HEADER]: current })).status).toBe(200);
  });

  test('S52: a client that uploads slowly or never finishes', async () => {
    const who = await organisation();
    const body = JSON.stringify({ nin: number() });
    const request = rawPost('/v1/ng/nin-basic', who.live, body);
    const pieces = request.match(/[\s\S]{1,60}/g) ?? [];
    const before = writtenSoFar().length;
    const slow = sendRaw(pieces, 60);
    await new Promise((resolve) => setTimeout(resolve, (pieces.length * 60) / 2));
    // No function has run for the request yet.
    expect(writtenSoFar().slice(before)).not.toContain(who.id);
    expect((await slow).status).toBe(200);
    // The body is shorter than announced: the connection ends, and nothing is charged.
    const half = await sendRaw([request.slice(0, -10)], 0, 1_500);
    expect([0, 400, 408]).toContain(half.status);
    expect((await who.balance()).available).toBe(9);
  });
});

describe('further attacks of the OWASP API Security Top 10', () => {
  test('API1: the cursor of another organisation returns none of its data', async () => {
    const [who, other] = [await organisation({ credits: 3 }), await organisation({ credits: 3 })];
    await post('/v1/ng/nin-basic', { nin: number() }, { key: other.live });
    const page = await get('/v1/wallet/transactions?limit=1', { key: other.live });
    const cursor = String(page.json?.data?.['next_cursor']);
    const mine = await get(`/v1/wallet/transactions?cursor=${cursor}`, { key: who.live });
    expect(mine.status).toBe(200);
    expect(mine.text).not.toContain('nin-basic');
  });

  test('API8: responses forbid caching and content sniffing, and name no software', async () => {
    const who = await organisation();
    const responses = [
      await post('/v1/ng/nin-basic', { nin: number() }, { key: who.live }),
      await post('/v1/ng/nin-basic', {}, {}),
      await get('/v1/wallet/balance', { key: who.live }),
      await get('/nowhere'),
    ];
    for (const { headers } of responses) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect([headers.get('server'), headers.get('x-powered-by')]).toEqual([null, null]);
    }
  });
});
