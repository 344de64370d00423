import { beforeAll, expect, test } from '@jest/globals';
import { lagosDay } from '../../shared/core/accounting-month.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
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

test('days of several months are added up', async () => {
  const [from, today] = [lagosDay(Date.now() - 40 * DAY_MS), lagosDay(Date.now())];
  const days = await usage(`?env=live&from=${from}&to=${today}`);
  expect(days).toMatchObject({ month: null, from, to: today, totals: { requests: 3, credits: 2 } });
  expect(days.days).toHaveLength(41);
  const { totals, previous } = await usage(`?env=live&from=${from}&to=${lagosDay(Date.now() - DAY_MS)}`);
  expect([totals.requests, previous]).toEqual([0, null]);
});

test.each([
  ['month=2026-13', 'month'],
  ['from=2026-02-30', 'from'],
  ['from=2026-02-02&to=2026-02-01', 'from'],
  ['from=2026-01-01&to=2026-04-03', 'from'],
])('a period that does not exist or is too long is rejected: %s', async (query, field) => {
  expect(await client.send('GET', `/usage?${query}`)).toMatchObject({
    status: 400,
    json: { error: { field } },
  });
});
