import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_SECONDS } from '../../../../shared/core/clock.ts';
import { CONSOLE } from '../../../infra/console.ts';
import { synthesize } from '../../../infra/synthesis.ts';
import { readRecorded } from '../scale/page.ts';
import { storageOf } from '../scale/peak.ts';
import { fixedCounts, fixedDollars, fixedTable } from './fixed.ts';
import { billedMs, dollarsPerMillion, sumOf, USUAL, type Use } from './model.ts';
import { PRICES_IN } from './prices.ts';

/** The bill of a month, for a stage that has verified as much in each of the last twelve months. */

/** Everything that the bill multiplies with prices. `recompute.py` reads it too. */
export interface Usage {
  readonly found: Use;
  /** What a million verifications add to tables and indexes. */
  readonly rows: readonly { readonly name: string; readonly gigabytes: number; readonly isIndex: boolean }[];
  /** The fixed quantities of prod with a domain, a routed provider, and with or without a console. */
  readonly fixed: Readonly<Record<Variant, Readonly<Record<string, number>>>>;
}

type Region = keyof typeof PRICES_IN;
const VARIANTS = ['without console', 'with console'] as const;
type Variant = (typeof VARIANTS)[number];

const MILLION = 1_000_000;
const VOLUMES = [1_000, 100_000, MILLION, 10 * MILLION, 100 * MILLION];
const GOAL = { volume: 10 * MILLION, region: 'eu-west-1', variant: 'with console' } as const;

const MONTHS = 12;
const MONTH_SECONDS = 30 * DAY_SECONDS;
/** After this time without a request, Lambda removes an instance. */
const IDLE_SECONDS = 300;
/** The busiest minute compared with the mean. */
const PEAK = 3;
/** In a month, for each busy instance: DynamoDB asks for the key of a table again after five minutes. */
const KEY_REQUESTS = MONTH_SECONDS / 300;
/** In a month, for each busy instance, which reads the pepper and a provider's credentials again after 15 minutes. */
const SECRET_READS = (2 * MONTH_SECONDS) / 900;
/** Organisations with two keys and two wallets, which scheduled functions read eight times a minute. */
const SCHEDULED_READS = (20 * 8 * MONTH_SECONDS) / 60;

export const USAGE_FILE = join(import.meta.dirname, 'usage.json');
export const readUsage = (): Usage => JSON.parse(readFileSync(USAGE_FILE, 'utf8')) as Usage;

export function usageOf(found: Use): Usage {
  const address = {
    domain: { name: 'api.example.com', hostedZone: { id: 'Z0MADEUP', name: 'example.com' } },
  };
  const operations = {
    accountConcurrency: 1_000,
    rollout: 'canary',
    generatedUrl: 'closed',
    ...address,
  } as const;
  const firewall = { requestsPerAddressPerMinute: 12_000 };
  const changes = { operations: { ...operations, firewall }, registries: { NIN: ['prembly'] } } as const;
  const rows = storageOf(readRecorded().found, MILLION).map(({ partition: { name, index }, gigabytes }) => ({
    ...{ name, gigabytes, isIndex: index !== undefined },
  }));
  const fixed = VARIANTS.map((variant) => [
    variant,
    fixedCounts(synthesize('prod', { ...changes, ...(variant === 'with console' ? CONSOLE : {}) })),
  ]);
  return { found, rows, fixed: Object.fromEntries(fixed) };
}

/** Returns the lines of the bill in US dollars. */
export function billOf({ found, rows, fixed }: Usage, volume: number, region: Region, variant: Variant) {
  const prices = PRICES_IN[region];
  const rate = volume / MONTH_SECONDS;
  const newInstances = Math.max(USUAL.newInstances, Math.exp(-rate * IDLE_SECONDS));
  const perMillion = dollarsPerMillion(found, { ...USUAL, newInstances }, prices);
  const instances = Math.ceil(PEAK * rate * (billedMs(found, USUAL) / 1_000));
  const keyRequests = Math.min(volume, instances * KEY_REQUESTS);
  const secretReads = Math.min(2 * volume, instances * SECRET_READS);
  const stored = ({ isIndex, gigabytes }: Usage['rows'][number]) =>
    gigabytes * (prices.tableGigabyteMonth + (isIndex ? 0 : prices.backupGigabyteMonth));
  // Half of the reads of secrets are of the pepper, which the key of the stage protects.
  const requestsToKms = ((keyRequests + secretReads / 2) * prices.keyRequestsPerMillion) / MILLION;
  return {
    ...Object.fromEntries(
      Object.entries(perMillion).map(([line, price]) => [line, (volume * price) / MILLION]),
    ),
    'requests to KMS': requestsToKms,
    'reads of secrets': (secretReads * prices.secretCallsPerMillion) / MILLION,
    'rows of twelve months, with backups':
      (MONTHS * volume * rows.reduce((sum, row) => sum + stored(row), 0)) / MILLION,
    'log lines of twelve months':
      MONTHS * volume * (found.logBytes + USUAL.otherLogBytes) * 1e-9 * prices.logGigabyteMonth,
    'reads of scheduled functions': (SCHEDULED_READS * prices.readUnitsPerMillion) / MILLION,
    'fixed cost': fixedDollars(fixed[variant], prices).reduce((sum, { dollars }) => sum + dollars, 0),
  };
}

const figure = (dollars: number) =>
  dollars.toLocaleString('en-GB', { maximumFractionDigits: dollars < 100 ? 2 : 0 });

/** Returns docs/operate/cost.md with the bills and the fixed costs of the current templates. */
export function withBills(page: string, usage: Usage): string {
  return Object.entries({ bill: billTables(usage), fixed: fixedTable() }).reduce((text, [name, table]) => {
    const [before = '', rest = ''] = text.split(`<!-- ${name}: begin -->`);
    const [, after = ''] = rest.split(`<!-- ${name}: end -->`);
    return `${before}<!-- ${name}: begin -->\n${table}\n<!-- ${name}: end -->${after}`;
  }, page);
}

/** Returns the bills of all volumes, regions and variants, and the lines of the one that has a goal. */
export function billTables(usage: Usage): string {
  const columns = (Object.keys(PRICES_IN) as Region[]).flatMap((region) =>
    VARIANTS.map((variant) => ({ region, variant })),
  );
  const cell = (volume: number, { region, variant }: (typeof columns)[number]) => {
    const dollars = sumOf(billOf(usage, volume, region, variant));
    return `${figure(dollars)} (${figure((dollars * MILLION) / volume)})`;
  };
  const lines = billOf(usage, GOAL.volume, GOAL.region, GOAL.variant);
  const row = (name: string, dollars: number) =>
    `| ${name} | ${figure(dollars)} | ${figure((dollars * MILLION) / GOAL.volume)} |`;
  return [
    `| verifications a month | ${columns.map(({ region, variant }) => `${region}, ${variant}`).join(' | ')} |`,
    `|---${'|---'.repeat(columns.length)}|`,
    ...VOLUMES.map(
      (volume) => `| ${figure(volume)} | ${columns.map((one) => cell(volume, one)).join(' | ')} |`,
    ),
    '',
    `| ${figure(GOAL.volume)} in ${GOAL.region}, ${GOAL.variant} | $ | $ per million |`,
    '|---|---|---|',
    ...Object.entries(lines)
      .filter(([, dollars]) => dollars > 0)
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, dollars]) => row(name, dollars)),
    row('**sum**', sumOf(lines)),
  ].join('\n');
}
