import { describe, expect, test } from '@jest/globals';
import {
  addressOf,
  exportPathOf,
  filterOf,
  isRequestId,
  pathOf,
  withoutApostrophe,
} from '../../../clients/console/src/requests/filter.ts';
import { groupRejected } from '../../../clients/console/src/requests/group-rejected.ts';
import {
  comparisonText,
  percentText,
  previousPeriod,
} from '../../../clients/console/src/usage/comparison.ts';
import { largestSeries } from '../../../clients/console/src/usage/series.ts';
import { usageRows } from '../../../clients/console/src/usage/usage-rows.ts';
import { newRequestId } from '../../../shared/core/ids.ts';
import { usageView } from '../../console/request-views.ts';

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

describe('the URL of the Requests page', () => {
  const filter = filterOf({ env: 'test', id: 'req_0123456789ab', reference: ' loan 7 ', outcome: 'FAILED' });

  test('contains the filters that are set and the request that is open', () => {
    expect(addressOf('test', filter)).toBe('/requests?env=test&reference=loan+7&outcome=FAILED');
    expect(addressOf('live', filterOf({}))).toBe('/requests');
    expect(addressOf('live', filterOf({}), 'req_0123456789ab')).toBe('/requests?id=req_0123456789ab');
  });

  test('is translated to the route that reads the requests', () => {
    expect(pathOf('live', filterOf({}), null)).toBe('/requests?env=live');
    expect(exportPathOf('test', filter, 'next')).toBe(
      '/requests?env=test&reference=loan+7&outcome=FAILED&details=yes&cursor=next&limit=100',
    );
  });
});

test('request IDs are distinguished from references', () => {
  expect(isRequestId(newRequestId())).toBe(true);
  expect(isRequestId('req_123')).toBe(false);
  expect(isRequestId('my-req_0123456789ab')).toBe(false);
});

test('a reference is searched without the apostrophe of the exported file', () => {
  const searched = ["'0012345", " '+234", "'=1", '0012345', "'abuja", "''00"].map(withoutApostrophe);
  expect(searched).toEqual(['0012345', '+234', '=1', '0012345', "'abuja", "''00"]);
});

test('rejected requests are added up by code, route and key, and no minute is counted twice', () => {
  const minute = (at: number, count: number, code = 'INVALID_API_KEY', key_label = '') => ({
    minute: `2026-11-23T12:0${at}:00.000Z`,
    code,
    http_status: 401,
    count,
    route: '/v1/nin/verify',
    key_label,
    request_id: `req_${at}${code}${key_label}`,
    field: null,
  });
  const twice = minute(3, 4);
  const groups = groupRejected([
    minute(5, 2, 'RATE_LIMITED', 'backend'),
    twice,
    twice,
    minute(1, 7),
    minute(2, 1, 'RATE_LIMITED', 'mobile'),
  ]);
  expect(groups.map(({ code, count, request_id }) => [code, count, request_id])).toEqual([
    ['INVALID_API_KEY', 11, 'req_3INVALID_API_KEY'],
    ['RATE_LIMITED', 2, 'req_5RATE_LIMITEDbackend'],
    ['RATE_LIMITED', 1, 'req_2RATE_LIMITEDmobile'],
  ]);
});

describe('the series of a chart', () => {
  const series = (name: string, ...requests: number[]) => ({ name, requests, credits: [0, 0] });
  const shown = (...all: ReturnType<typeof series>[]) =>
    largestSeries(all, 'requests', (name) => name, 'Other').map(({ name, values }) => [name, ...values]);

  test('are sorted largest first, and empty ones are omitted', () => {
    expect(shown(series('a', 1, 2), series('b', 5, 0), series('c', 0, 0))).toEqual([
      ['b', 5, 0],
      ['a', 1, 2],
    ]);
  });

  test('are at most six, with the smallest added up', () => {
    const many = Array.from({ length: 9 }, (_, index) => series(`s${index}`, 20 - index, index));
    const all = shown(...many);
    expect(all.map(([name]) => name)).toEqual(['s0', 's1', 's2', 's3', 's4', 'Other']);
    expect(all.at(-1)).toEqual(['Other', 15 + 14 + 13 + 12, 5 + 6 + 7 + 8]);
    expect(shown(...many.slice(0, 6))).toHaveLength(6);
  });
});

describe('the comparison with the previous month', () => {
  test.each([
    ['2026-11', 20, 'the first 20 days of October 2026'],
    ['2026-11', 1, 'the first day of October 2026'],
    ['2026-11', 30, 'the first 30 days of October 2026'],
    ['2026-10', 31, 'September 2026'],
    ['2026-03', 28, 'February 2026'],
    ['2026-01', 31, 'December 2025'],
    [null, 7, 'the 7 days before'],
    [null, 1, 'the day before'],
  ])('of %s after %i days is with %s', (month, days, expected) => {
    expect(previousPeriod(month, days)).toBe(expected);
  });

  test.each([
    [112, 100, '12% more than May'],
    [88, 100, '12% less than May'],
    [1_001, 1_000, '0.1% more than May'],
    [100_001, 100_000, 'less than 0.1% more than May'],
    [5, 5, 'The same as May'],
    [5, 0, 'None in May'],
    [0, 5, '100% less than May'],
  ])('of %i with %i says "%s"', (now, before, expected) => {
    expect(comparisonText(now, before, 'May')).toBe(expected);
  });

  test('has one decimal place only below 10%', () => {
    expect([0, 0.0004, 0.014, 0.999, 12.34].map(percentText)).toEqual([
      '0%',
      'less than 0.1%',
      '1.4%',
      '100%',
      '1,234%',
    ]);
  });
});

test('the file of a month has the same sums as the page, for each way to split them', () => {
  const usage = usageView();
  const rows = usageRows(usage);
  for (const [group, series] of Object.entries(usage.by)) {
    const own = rows.filter(([, by]) => by === group);
    expect(sum(own.map(([, , , requests]) => Number(requests)))).toBe(
      sum(series.flatMap((one) => one.requests)),
    );
    expect(sum(own.map(([, , , , credits]) => Number(credits)))).toBe(
      sum(series.flatMap((one) => one.credits)),
    );
  }
  expect(rows.every(([, , , requests]) => Number(requests) > 0)).toBe(true);
});
