import { readFileSync } from 'node:fs';
import { customMetricsIn } from '../bench/cost/custom-metrics.ts';

/** The requests, metrics and events in the functions' logs. */
export interface LogCounts {
  /** Look-ups of live keys, by `<provider> <outcome>`. */
  readonly lookUps: Readonly<Record<string, number>>;
  /** The sum of the metric for live look-ups whose provider was unreachable or too slow. */
  readonly failedLookUps: number;
  /** The custom metrics that CloudWatch would bill for this day, each with the values of its dimensions. */
  readonly customMetrics: readonly string[];
  readonly responses: Readonly<Record<string, number>>;
  /**
   * Request IDs of the responses with status 500 that were caused by a table or secret that did not respond in time.
   */
  readonly tableTimeouts: readonly string[];
  readonly starts: Readonly<Record<string, number>>;
  /** The sum of the metric `faults`, whose alarm fires at 1. */
  readonly faults: number;
  readonly unconfirmedCharges: number;
  /** Runs of the sweeper, the holds that they released, and the age of the oldest hold that the last run left. */
  readonly sweeps: {
    readonly count: number;
    readonly released: number;
    readonly failed: number;
    readonly oldestHoldMs: number;
  };
  /** Deployed versions whose processes have all ended. */
  readonly retiredVersions: number;
}

type LogLine = Readonly<Record<string, unknown>>;

export function countLines(logFile: string): LogCounts {
  const lines = readFileSync(logFile, 'utf8').split('\n').flatMap(parsed);
  const where = (name: string, value: unknown) => lines.filter((line) => line[name] === value);
  const sweeps = where('message', 'sweep');
  return {
    lookUps: tally(
      where('message', 'request')
        .filter(({ env }) => env === 'live')
        .flatMap((line) => (line['look_ups'] ?? []) as LogLine[]),
      (lookUp) => `${lookUp['provider']} ${lookUp['outcome']}`,
    ),
    failedLookUps: sum(lines, 'failedLookUps'),
    customMetrics: customMetricsIn(lines),
    responses: tally(where('message', 'request'), (line) => String(line['code'])),
    tableTimeouts: where('code', 'SERVER_ERROR')
      .filter(({ detail }) => String(detail).includes('"error_name":"TimeoutError"'))
      .map((line) => String(line['request_id'])),
    starts: tally(where('message', 'release'), (line) => String(line['release'])),
    faults: sum(lines, 'faults'),
    unconfirmedCharges: sum(lines, 'unconfirmedCharges'),
    sweeps: {
      count: sweeps.length,
      released: sum(lines, 'releasedHolds'),
      failed: sum(sweeps, 'failed'),
      oldestHoldMs: Number(sweeps.at(-1)?.['oldestHoldMs'] ?? Number.NaN),
    },
    retiredVersions: where('event', 'version retired').length,
  };
}

/**
 * Parses a log line. Returns nothing if it is not a JSON object: a process that is killed while it writes leaves such a
 * line.
 */
function parsed(text: string): LogLine[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? [value as LogLine] : [];
  } catch {
    return [];
  }
}

function tally(lines: readonly LogLine[], nameOf: (line: LogLine) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of lines) counts[nameOf(line)] = (counts[nameOf(line)] ?? 0) + 1;
  return counts;
}

/** Adds up a metric, which is a number, or a list of numbers if a request has several. */
function sum(lines: readonly LogLine[], name: string): number {
  const values = lines.flatMap((line) => line[name]).filter((value) => typeof value === 'number');
  return values.reduce((total, value) => total + value, 0);
}
