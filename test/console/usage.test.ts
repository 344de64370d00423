import { beforeAll, expect, test } from '@jest/globals';
import type { UsageView } from '../../shared/usage/console/views.ts';
import { type ConsoleClient, signIn } from '../support/console.ts';
import { join } from '../support/console-organisation.ts';
import { control, organisation, post, type TestOrganisation } from '../support/service.ts';

/** Usage in the running console: requests to the API appear after the hourly count. */

let client: ConsoleClient;
let customer: TestOrganisation;
beforeAll(async () => {
  client = await signIn('developer.of.usage@example.com');
  customer = await organisation();
  await join(client, { id: customer.id, name: 'Usage Ltd' }, 'developer');
});

async function usage(query: string): Promise<UsageView> {
  const response = await client.send<UsageView>('GET', `/usage${query}`);
  if (!response.json?.data) throw new Error(`GET /usage: ${response.status} ${response.text}`);
  return response.json.data;
}
const sum = (numbers: readonly number[] = []) => numbers.reduce((total, one) => total + one, 0);

test('requests are counted by day, service, outcome and key, in their environment only', async () => {
  expect(await usage('?env=live')).toMatchObject({ totals: { requests: 0 }, counted_until: null });
  const key = { key: customer.live };
  await post('/v1/ng/nin-basic', { nin: '12345670001' }, key);
  await post('/v1/ng/nin-basic', { nin: '12345670404' }, key);
  await post('/v1/ng/bvn-basic', { bvn: '22345670001' }, key);
  await control.runSchedule('roll-up-usage');

  const live = await usage('?env=live');
  expect(live.totals).toMatchObject({ requests: 3, found: 2, errors: 0, credits: 2, is_closed: false });
  for (const series of Object.values(live.by)) {
    expect(sum(series.map(({ requests }) => sum(requests)))).toBe(3);
    expect(sum(series.map(({ credits }) => sum(credits)))).toBe(2);
  }
  expect(live.by.service.map(({ name }) => name)).toEqual(['nin-basic', 'bvn-basic']);
  expect(live.by.key.map(({ name }) => name)).toEqual(['test']);
  expect(live.latency.find(({ id_type: idType }) => idType === 'NIN')?.requests).toBe(2);
  expect(Date.parse(live.counted_until ?? '')).toBeLessThan(Date.now());
  expect((await usage('?env=test')).totals).toMatchObject({ requests: 0, cost_kobo: null });

  // A second count of the same rows changes nothing.
  await control.runSchedule('roll-up-usage');
  expect({ ...(await usage('?env=live')), counted_until: '' }).toEqual({ ...live, counted_until: '' });
});

test('a month that does not exist is rejected', async () => {
  expect((await client.send('GET', '/usage?month=2026-13')).status).toBe(400);
});
