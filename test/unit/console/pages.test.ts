import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { labelOf, valueText } from '../../../clients/console/src/audit/fields.ts';
import { type ExportPage, exportCsv, type Progress } from '../../../clients/console/src/export/export-csv.ts';
import { shareDownTo } from '../../../clients/console/src/export/share-down-to.ts';
import { formatDay, formatTime } from '../../../clients/console/src/format.ts';
import { curlLine, isLookUp } from '../../../clients/console/src/key-dialogs/curl-line.ts';
import {
  entriesOf,
  scopeGroups,
  wideScopes,
  withScope,
} from '../../../clients/console/src/key-dialogs/scope-groups.ts';
import { firstInput } from '../../../clients/console/src/playground/request.ts';
import { curlOf, playgroundPath } from '../../../clients/console/src/request-detail/like-request.ts';
import { scopeTexts } from '../../../clients/console/src/scope-texts.ts';
import { SERVICE_TEXTS } from '../../../clients/console/src/services/service-texts.ts';
import { apiKey, newApiKeyText } from '../../../shared/accounts/api-key.ts';
import { organisation } from '../../../shared/accounts/organisation.ts';
import { ALERT_KINDS } from '../../../shared/alerts/alert.ts';
import { ACTION_TEXTS } from '../../../shared/audit/action-texts.ts';
import { ID_TYPES } from '../../../shared/core/id-types.ts';
import { CONSOLE_ROUTES, type ConsoleRoute } from '../../../shared/http/console/routes.ts';
import { ACTION_NAMES } from '../../../shared/operators/actions.ts';
import {
  type AutomaticTopUp,
  automaticTopUp,
  settingsOf,
} from '../../../shared/payments/automatic/automatic-top-up.ts';
import { openingFacts, type TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { party } from '../../../shared/payments/prices/billing.ts';
import { KEY_SCOPES } from '../../../shared/verifications/key-scopes.ts';
import { SERVICE_NAMES } from '../../../shared/verifications/services.ts';

/** What the console's pages calculate. */

describe('a request like another one', () => {
  const texts = { consent: "Ada's", reason: null, reference: 'loan-1' };

  test('is a command with the texts of the request, but without its number', () => {
    const line = curlOf({ service: 'nuban-basic', ...texts }, 'https://api.example.com/');
    expect(line.replaceAll(' \\\n ', '')).toBe(
      `curl "https://api.example.com/api/v1/ng/nuban-basic/" -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' -d '{"id_number":"NUMBER","bank_code":"BANK_CODE","consent":"Ada'\\''s","reference":"loan-1"}'`,
    );
  });

  test.each([
    ['nin-slip', 'FOUND', 200, 'nin-slip', '12345670001'],
    ['bvn-basic', 'NOT_FOUND', 404, 'bvn-basic', '22345670404'],
    ['toString', 'REFUSED', 402, 'nin-basic', '12345670001'],
  ] as const)('opens the playground: %s, %s', (service, outcome, http_status, chosen, number) => {
    const path = playgroundPath('live', { service, outcome, http_status });
    const query = Object.fromEntries(new URL(path, 'http://localhost').searchParams);
    expect(query).not.toHaveProperty('env');
    expect(firstInput(query)).toMatchObject({ service: chosen, number });
  });
});

describe('the curl line of a new key', () => {
  const text = newApiKeyText('test', 'demo000001');
  const tried = { env: 'test', text, scopes: null, apiUrl: 'http://127.0.0.1:3000' } as const;

  /** Returns the arguments that a shell passes to curl. */
  function argumentsOf(line: string): string[] {
    const printed = line.replace(/^curl /, 'printf "%s\\n" ');
    return execFileSync('sh', ['-c', printed], { encoding: 'utf8' }).trimEnd().split('\n');
  }

  test('for a test key looks up a sandbox number', () => {
    expect(argumentsOf(curlLine(tried))).toEqual([
      '-s',
      'http://127.0.0.1:3000/api/v1/ng/nin-basic/',
      '-H',
      `Authorization: Bearer ${text}`,
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"id_number":"12345678901"}',
    ]);
    expect(isLookUp(curlLine(tried))).toBe(true);
  });

  test('has one slash between the address and the path', () => {
    expect(curlLine({ ...tried, apiUrl: 'https://api.example.com/' })).toContain(
      '"https://api.example.com/api/v1/',
    );
  });

  test.each([
    [['verify:*'], 'nin-basic'],
    [['verify:tin-basic', 'wallet:read'], 'tin-basic'],
    [['verify:cac-basic'], 'cac-basic'],
  ])('with the scopes %j looks up %s', (scopes, service) => {
    expect(curlLine({ ...tried, scopes })).toContain(`/api/v1/ng/${service}/`);
  });

  test.each([
    ['a live key', { env: 'live', scopes: null }],
    ['a key that may only read the wallet', { env: 'test', scopes: ['wallet:read'] }],
    ['a key for NUBAN, which also needs a bank', { env: 'test', scopes: ['verify:nuban-basic'] }],
  ] as const)('for %s lists the banks, which costs nothing', (_, limits) => {
    const line = curlLine({ ...tried, ...limits });
    expect(argumentsOf(line)).toEqual([
      '-s',
      'http://127.0.0.1:3000/api/v1/banks/',
      '-H',
      `Authorization: Bearer ${text}`,
    ]);
    expect(isLookUp(line)).toBe(false);
  });
});

describe('the scopes of a new key', () => {
  test('are each in one group, except those that cover several', () => {
    const groups = scopeGroups(KEY_SCOPES);
    expect(groups.map(([group]) => group)).toEqual([...ID_TYPES, 'account']);
    const grouped = groups.flatMap(([, scopes]) => scopes);
    expect(wideScopes(KEY_SCOPES)).toEqual(['verify:*', 'match:*']);
    expect([...grouped, 'verify:*', 'match:*'].toSorted()).toEqual(KEY_SCOPES.toSorted());
    expect(new Set(grouped).size).toBe(grouped.length);
  });

  test('each have an explanation', () => {
    expect(KEY_SCOPES.filter((scope) => !Object.hasOwn(scopeTexts, scope))).toEqual([]);
  });

  test.each([
    ['verify:*', ['slip:read', 'verify:*']],
    ['match:*', ['verify:nin-basic', 'slip:read', 'match:*']],
  ])('for single look-ups are replaced by %s, which replaces no others', (scope, chosen) => {
    expect(withScope(['verify:nin-basic', 'match:bvn-basic', 'slip:read'], scope, true)).toEqual(chosen);
  });

  test('can be deselected again', () => {
    expect(withScope(withScope([], 'slip:read', true), 'slip:read', false)).toEqual([]);
    expect(withScope(['slip:read'], 'slip:read', true)).toEqual(['slip:read']);
  });
});

test('each service has a text about the consent that it needs', () => {
  for (const name of SERVICE_NAMES) expect(SERVICE_TEXTS[name]?.consent).toMatch(/\.$/);
});

test('each action of the audit trail has a description', () => {
  const ofMembers = Object.values<ConsoleRoute>(CONSOLE_ROUTES).flatMap(({ action }) => action ?? []);
  const ofOperators = ACTION_NAMES.filter((action) => !action.startsWith('registry '));
  const ofFunctions = ['settle top-up', 'send refund', 'expire lot'];
  const missing = [...ofMembers, ...ofOperators, ...ofFunctions].filter(
    (action) => !Object.hasOwn(ACTION_TEXTS, action),
  );
  expect(missing).toEqual([]);
});

test('each field that a change of members states has a label', () => {
  const [row, order] = [{} as AutomaticTopUp, {} as TopUpOrder];
  const schemas = [automaticTopUp, apiKey, organisation, party].map(({ entries }) => Object.keys(entries));
  const facts = [settingsOf(row), openingFacts(order)].map((values) => Object.keys(values));
  const kept = ['organisationId', 'hash', 'version', 'openedBy', 'returnSha256', 'changedAt', 'changedBy'];
  const unrecorded = Object.keys(automaticTopUp.entries).filter((name) => !(name in settingsOf(row)));
  const stated = [...schemas, ...facts].flat();
  const fields = stated.filter((name) => ![...kept, ...unrecorded].includes(name));
  expect(fields.filter((field) => labelOf(field) === field)).toEqual([]);
  expect(ALERT_KINDS.filter((kind) => !labelOf(kind, true).startsWith('Emails: '))).toEqual([]);
  expect([labelOf('payment', 'T123'), labelOf('payment', false)]).toEqual([
    'Payment',
    'Emails: Payment received',
  ]);
  expect(labelOf('unheardOf')).toBe('unheardOf');
});

test.each([
  ['monthlyCapKobo', 2_000_000, 'Monthly limit', '₦20,000.00'],
  ['thresholdCredits', 2_500, 'When fewer credits are left than', '2,500'],
  ['cardOrder', null, 'Top-up whose card is saved', 'none'],
  ['state', 'ON', 'State', 'On'],
  ['role', 'admin', 'Role', 'Administrator'],
  ['label', 'ON', 'Label', 'ON'],
  ['enabled', false, 'Enabled', 'no'],
  ['notAfter', '2026-11-14T08:30:00.000Z', 'Works until', '14 Nov 2026, 09:30'],
  ['changed', ['taxNumber', 'address'], 'Changed (values not recorded)', 'Tax number, Address'],
  [
    'rateLimit',
    { perSecond: 50, burst: 1_000 },
    'Request limit',
    'Requests a second: 50, Requests at once: 1,000',
  ],
  ['services', { 'nin-basic': {}, 'bvn-basic': {} }, 'Services', 'nin-basic, bvn-basic'],
])('a change shows %s as %j in words', (field, value, label, text) => {
  expect([labelOf(field), valueText(field, value)]).toEqual([label, text]);
});

test('each month has three letters', () => {
  expect(formatDay('2026-09-02', 'UTC')).toBe('2 Sep 2026');
  expect(formatTime('2026-09-02T12:00:00.000Z', 'UTC')).toBe('2 Sep 2026, 12:00');
});

test('addresses are read from lines and from pasted lists', () => {
  expect(entriesOf(' 203.0.113.0/24\n\n2001:db8::/32 \r\n')).toEqual(['203.0.113.0/24', '2001:db8::/32']);
  expect(entriesOf('192.0.2.1, 192.0.2.2;192.0.2.3')).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3']);
  expect(entriesOf(' \n')).toEqual([]);
});

describe('an export', () => {
  const row = (day: number, name = 'Amaka Obi') => [`2026-11-${day}T12:00:00.000Z`, name, 7];
  const pages: readonly ExportPage[] = [
    { rows: [row(20), row(19)], next_cursor: '1' },
    { rows: [], next_cursor: '2' },
    { rows: [row(15, '=HYPERLINK("x")')], next_cursor: null },
  ];
  const read = async (cursor: string | null) => pages[Number(cursor ?? 0)] as ExportPage;
  const progress: Progress[] = [];
  const run = (from: string) => {
    const shareOf = shareDownTo(Date.parse(from));
    const readPage = async (cursor: string | null) => {
      const page = await read(cursor);
      return { ...page, share: shareOf(page.rows.map(([at]) => String(at))) };
    };
    const { signal } = new AbortController();
    return exportCsv(['time_utc', 'name', 'count'], readPage, (one) => progress.push(one), signal);
  };

  test('contains all pages, in UTF-8 for spreadsheets, and no formulas', async () => {
    const { csv, count } = (await run('')) ?? { csv: '', count: 0 };
    expect(count).toBe(3);
    expect(csv.split('\r\n')).toEqual([
      '\ufefftime_utc,name,count',
      '2026-11-20T12:00:00.000Z,Amaka Obi,7',
      '2026-11-19T12:00:00.000Z,Amaka Obi,7',
      '2026-11-15T12:00:00.000Z,"\'=HYPERLINK(""x"")",7',
      '',
    ]);
  });

  test('reports its progress as a count, and as a share if the end is known', async () => {
    progress.length = 0;
    await run('2026-11-10');
    expect(progress.map(({ count }) => count)).toEqual([2, 2, 3]);
    const [early, same, done] = progress.map(({ share }) => share ?? -1);
    expect(early).toBeGreaterThan(0.05);
    expect(early).toBeLessThan(0.15);
    expect(same).toBe(early);
    expect(done).toBe(1);
    progress.length = 0;
    await run('');
    expect(progress[0]?.share).toBeUndefined();
  });

  test('stops when it is cancelled', async () => {
    const controller = new AbortController();
    const reads: (string | null)[] = [];
    const result = await exportCsv(
      [],
      async (cursor) => {
        reads.push(cursor);
        controller.abort();
        return read(cursor);
      },
      () => undefined,
      controller.signal,
    );
    expect(result).toBeUndefined();
    expect(reads).toEqual([null]);
  });
});
