import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { PAGES } from '../../infra/site/pages.ts';
import { evaluatedAlarm, timesOf } from './alarm-times.ts';
import { EVERY_ALARM } from './expected-alarms.ts';
import { type Properties, propertiesOf, synthesize } from './synthesis.ts';

/** Each alarm has a runbook, docs/operate/runbooks/<name>.md, which its text names, and the index lists all of them. */

const DIRECTORY = 'docs/operate/runbooks';
const INDEX = `${DIRECTORY}/README.md`;
/** The meaning of runbooks without an alarm: for a message of a rule, and for a report by a customer. */
const MESSAGES: Readonly<Record<string, string>> = {
  'break-glass': 'Someone assumed the role that can write every table directly.',
  'slow-customer': 'A customer reports slow responses, while no latency alarm fires.',
};
const URGENCIES = ['Act at once', 'Act within hours', 'Act on a working day'] as const;
const TOPICS = {
  'Act at once': 'To `alarmEmail`.',
  'Act within hours': 'To `ticketEmail`, as are those below.',
  'Act on a working day': '',
} as const;

interface AlarmText {
  readonly name: string;
  readonly properties: Properties;
  /** What customers notice, and why. */
  readonly description: string;
  /** Its path or address. */
  readonly runbook: string;
}

function alarmsWith(docsUrl?: string): AlarmText[] {
  const { functions, operations, probe } = synthesize('prod', { ...EVERY_ALARM, docsUrl });
  const alarms = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'].flatMap((type) =>
    [operations, functions, probe].flatMap((template) => propertiesOf(template, type)),
  );
  return alarms.map((properties) => {
    const { AlarmName, AlarmDescription } = properties;
    // The name of a rollback alarm ends with a version, which is a reference.
    const { 'Fn::Join': join } = Object(AlarmName) as { 'Fn::Join'?: [string, [string, unknown]] };
    const name = String(join?.[1][0] ?? AlarmName).replace('identity-prod-', '');
    const [description = '', runbook = ''] = String(AlarmDescription).split(' Runbook: ');
    return { name, properties, description, runbook };
  });
}

const alarms = alarmsWith();
const runbookOf = ({ runbook }: AlarmText) => basename(runbook, '.md');
const pages = new Map(
  globSync(`${DIRECTORY}/*.md`)
    .filter((path) => path !== INDEX)
    .sort()
    .map((path) => [basename(path, '.md'), readFileSync(path, 'utf8')]),
);
/** An engineer who was paged needs these on every page. */
const LAST_LINE = '[Roles, queries](README.md#queries), [deployment](../deploy.md)';
const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean).length;

test('each alarm has a runbook, and each runbook has an alarm or a meaning of its own', () => {
  const named = [...alarms.map(runbookOf), ...Object.keys(MESSAGES)];
  expect([...new Set(named)].sort()).toEqual([...pages.keys()]);
});

test.each(alarms)('$name says in two sentences what customers notice and why: $description', (alarm) => {
  const { name, description, runbook } = alarm;
  expect(description).toMatch(/^[^.]*[Cc]ustomer[^.]*\. [^.]+\.$/);
  expect(runbook).toBe(`${DIRECTORY}/${runbookOf(alarm)}.md`);
  expect(name === runbookOf(alarm) || name.startsWith(`${runbookOf(alarm)}-`)).toBe(true);
});

test.each(['https://docs.example.com/', 'https://docs.example.com'])(
  'with docsUrl %s, texts end with the address of the runbook',
  (docsUrl) => {
    const addresses = alarmsWith(docsUrl).map(({ runbook }) => runbook);
    const expected = alarms.map(
      (alarm) => `https://docs.example.com/operate/runbooks/${runbookOf(alarm)}.html`,
    );
    expect(addresses).toEqual(expected);
    const onTheSite = PAGES.map(({ path }) => `https://docs.example.com/${path}.html`);
    for (const address of addresses) expect(onTheSite).toContain(address);
    const { operations } = synthesize('prod', { ...EVERY_ALARM, docsUrl });
    const rules = JSON.stringify(propertiesOf(operations, 'AWS::Events::Rule'));
    for (const name of ['break-glass', 'rollback'])
      expect(rules).toContain(`Runbook: https://docs.example.com/operate/runbooks/${name}.html`);
  },
);

test('an alarm goes to the topic of alarmEmail if and only if its runbook says "Act at once"', () => {
  const { operations, probe } = synthesize('prod', EVERY_ALARM);
  const pageTopics = [operations, probe].map(
    (template) => Object.keys(template.findResources('AWS::SNS::Topic'))[0],
  );
  const notifying = alarms.filter(({ properties }) => properties['AlarmActions'] !== undefined);
  const paged = notifying.filter(({ properties: { AlarmActions } }) =>
    pageTopics.some((Ref) => isDeepStrictEqual(AlarmActions, [{ Ref }])),
  );
  const atOnce = notifying.filter((alarm) => pages.get(runbookOf(alarm))?.includes('\n\nAct at once'));
  expect(paged.map(({ name }) => name)).toEqual(atOnce.map(({ name }) => name));
  expect(paged.length).toBeGreaterThan(10);
});

describe.each([...pages])('%s', (name, page) => {
  test('begins with when to act, and has the parts Meaning, Check, Fix and Clears', () => {
    const urgencies = URGENCIES.filter((urgency) => page.startsWith(`# ${name}\n\n${urgency}`));
    expect(urgencies).toHaveLength(1);
    const labels = page.match(/^\*\*[A-Za-z ]+:\*\*/gm);
    expect(labels).toEqual(['**Meaning:**', '**Check:**', '**Fix:**', '**Clears:**']);
  });

  test('ends with links to roles, queries and deployment', () => {
    expect(page.split('\n\n').at(-1)).toBe(`${LAST_LINE}\n`);
  });

  test('fits on one screen, with its first command near the top', () => {
    expect(wordsOf(page)).toBeLessThanOrEqual(300);
    const [before = '', command] = page.split('```', 2);
    expect(command).toBeDefined();
    expect(wordsOf(before)).toBeLessThanOrEqual(100);
  });
});

describe('the index', () => {
  const index = readFileSync(INDEX, 'utf8');
  const BETWEEN = /(?<=<!-- alarms: begin -->\n)[\s\S]*?(?=<!-- alarms: end -->)/;
  const written = () => index.replace(BETWEEN, () => [TIMES, ...URGENCIES.map(tableOf)].join('\n'));
  // UPDATE=1 writes it.
  afterAll(() => {
    if (process.env['UPDATE'] === '1') writeFileSync(INDEX, written());
  });

  test('lists every runbook with its meaning, in the order of urgency', () => {
    expect(index).toBe(written());
  });
});

const TIMES = `"Fires after" counts from the start of a total failure, or from the last run of a job that fails to run. "Clears after" counts from the end. Both are the worst case with data on time, which may be minutes late.
`;

function tableOf(urgency: keyof typeof TOPICS): string {
  const rows = [...pages]
    .filter(([, page]) => page.includes(`\n\n${urgency}`))
    .map(([name]) => `| [${name}](${name}.md) | ${timesCells(name)} | ${meaningOf(name)} |`);
  const head = '| runbook | fires after | clears after | meaning |\n|---|---|---|---|';
  const topic = TOPICS[urgency];
  return `### ${urgency}\n\n${topic && `${topic}\n\n`}${head}\n${rows.join('\n')}\n`;
}

const alarmOf = (runbook: string) =>
  alarms.find((one) => one.name === runbook) ?? alarms.find((one) => runbookOf(one) === runbook);

const lasting = (minutes: number) => (minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`);

/** Returns two cells: how long after the start of a problem the alarm fires, and after its end, clears. */
function timesCells(runbook: string): string {
  const named = (name: string) => alarms.find((one) => one.name === name);
  const timed = (alarm?: AlarmText) =>
    alarm ? timesOf(evaluatedAlarm(alarm.properties)) : { fires: 0, clears: 0 };
  if (runbook === 'slo-burn') {
    // It fires while both windows of a pair do.
    const pairs = ['1h 5m', '6h 30m'].map((pair) =>
      pair.split(' ').map((window) => timed(named(`slo-burn-${window}`))),
    );
    const fires = pairs.map((pair) => Math.max(...pair.map((one) => one.fires)));
    const clears = pairs.map((pair) => Math.min(...pair.map((one) => one.clears)));
    return `${lasting(Math.min(...fires))} | ${lasting(Math.max(...clears))}`;
  }
  const alarm = alarmOf(runbook);
  if (!alarm) return '- | -';
  const { fires, clears } = timed(alarm);
  return `${lasting(fires)} | ${lasting(clears)}`;
}

/** Returns the text of the alarm, or of the first of several alarms with this runbook, as an example. */
function meaningOf(name: string): string {
  const alarm = alarmOf(name);
  const found = alarm?.description ?? MESSAGES[name];
  if (found === undefined) throw new Error(`No alarm has the runbook ${name}.`);
  return alarm && alarm.name !== name ? `For example, \`${alarm.name}\`: ${found}` : found;
}
