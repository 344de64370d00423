import '../../security/environment.ts';

import { describe, expect, jest, test } from '@jest/globals';
import { keyedRoute } from '../../../shared/accounts/middleware/keyed-route.ts';
import { showMe } from '../../../shared/accounts/routes/me.ts';
import { logger } from '../../../shared/core/logger.ts';
import { SERVICE_NAMES } from '../../../shared/verifications/services.ts';
import { type CallerChanges, invoke } from '../../security/in-process.ts';
import { memoryService } from '../../security/memory-service.ts';

/** GET /v1/me: what a key may do. */

async function me(env: 'live' | 'test', changes: CallerChanges, query?: Record<string, string[]>) {
  jest.spyOn(logger, 'info').mockImplementation(() => undefined);
  const service = memoryService();
  const who = await service.newCaller(7, env, changes);
  const handler = keyedRoute('me', 'any', showMe(), service.deps);
  const calls: string[] = [];
  service.onCall = (command) => calls.push(command.constructor.name);
  const event = { key: who.text, requestedAtMs: service.clock.nowMs, ...(query && { query }) };
  const { statusCode: status, body, headers } = await invoke(handler, event);
  return { status, json: JSON.parse(body), headers, calls, who };
}

const serviceNamed = (json: { data: { services: { service: string }[] } }, name: string) =>
  json.data.services.find(({ service }) => service === name);

describe('GET /v1/me shows', () => {
  test('the key, its organisation, limits and services, and nothing of the wallet', async () => {
    const notAfter = '2099-01-01T00:00:00.000Z';
    const organisation = {
      services: { 'nin-basic': {} },
      prices: { 'nin-basic': 3 },
      rateLimit: { perSecond: 25, burst: 50 },
    };
    const { status, json, headers, calls, who } = await me('live', { organisation, key: { notAfter } });
    expect([status, json.code, headers?.['X-Credits-Charged']]).toEqual([200, 'ME', '0']);
    const { services, ...data } = json.data;
    expect(data).toEqual({
      environment: 'live',
      organisation: { id: who.account.organisation?.id, name: 'Harmattan', status: 'APPROVED' },
      key: { label: 'story', last_four: who.text.slice(-4), expires_at: notAfter },
      scopes: ['verify:*', 'slip:read', 'wallet:read', 'verification:read', 'slip:revoke'],
      limits: { requests_per_second: 25, burst: 50 },
    });
    expect(services).toHaveLength(SERVICE_NAMES.length);
    expect(serviceNamed(json, 'nin-basic')).toEqual({
      service: 'nin-basic',
      is_enabled: true,
      access: 'full',
      credits: 3,
    });
    expect(serviceNamed(json, 'bvn-basic')).toMatchObject({ is_enabled: false, access: 'full', credits: 1 });
    // The same read and write as for every request with a key.
    expect(calls).toEqual(['BatchGetCommand', 'UpdateCommand']);
  });

  test('that every service is enabled for test keys, also before approval', async () => {
    const { status, json } = await me('test', { organisation: { services: {}, status: 'PENDING' } });
    expect([status, json.data.environment, json.data.organisation.status]).toEqual([200, 'test', 'PENDING']);
    expect(json.data.services.every(({ is_enabled }: { is_enabled: boolean }) => is_enabled)).toBe(true);
  });

  test('what a key that is limited to match_only may look up', async () => {
    const { status, json } = await me('live', { key: { scopes: ['match:nin-basic', 'verify:tin-basic'] } });
    expect([status, json.data.scopes]).toEqual([200, ['match:nin-basic', 'verify:tin-basic']]);
    const accessOf = (name: string) => Reflect.get(serviceNamed(json, name) ?? {}, 'access');
    expect(['nin-basic', 'nin-premium', 'tin-basic', 'nin-slip'].map(accessOf)).toEqual([
      'match_only',
      'none',
      'full',
      'none',
    ]);
  });

  test('nothing for a parameter, an unapproved organisation or an expired key', async () => {
    expect(await me('live', {}, { verbose: ['1'] })).toMatchObject({
      status: 400,
      json: { code: 'INVALID_SCHEMA', error: { reason: 'unknown_field', field: 'verbose' } },
    });
    const pending = await me('live', { organisation: { status: 'PENDING' } });
    expect([pending.status, pending.json.code]).toEqual([401, 'UNAPPROVED_ORGANIZATION']);
    const expired = await me('live', { key: { notAfter: '2020-01-01T00:00:00.000Z' } });
    expect([expired.status, expired.json.code, expired.json.data]).toEqual([401, 'INVALID_API_KEY', null]);
  });
});
