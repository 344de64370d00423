import { readFileSync } from 'node:fs';

/** What those who are on call would have seen: the metrics in what the functions wrote. */
export interface LogCounts {
  /** Look-ups of live keys, by `<provider> <outcome>`. */
  readonly lookUps: Readonly<Record<string, number>>;
  /** Answers by their code. */
  readonly answers: Readonly<Record<string, number>>;
  /** Functions' processes that started, by the release that they were of. */
  readonly starts: Readonly<Record<string, number>>;
  /** Metrics of which each unit wakes somebody. */
  readonly faults: number;
  readonly unconfirmedCharges: number;
  /** Sweeps, what they returned of requests that were killed, and the age of the oldest hold that the last one left. */
  readonly sweeps: {
    readonly count: number;
    readonly returned: number;
    readonly failed: number;
    readonly oldestHoldMs: number;
  };
  /** Versions whose processes have all finished and ended. */
  readonly retiredVersions: number;
}

type LogLine = Readonly<Record<string, unknown>>;

export function countLines(logFile: string): LogCounts {
  const lines = readFileSync(logFile, 'utf8').split('\n').flatMap(parsed);
  const where = (name: string, value: unknown) => lines.filter((line) => line[name] === value);
  const sweeps = where('message', 'sweep');
  return {
    lookUps: tally(
      lines.filter(
        (line) => line['lookUps'] !== undefined && line['environment'] === 'live' && line['provider'],
      ),
      (line) => `${line['provider']} ${line['outcome']}`,
    ),
    answers: tally(
      lines.filter((line) => line['responses'] !== undefined),
      (line) => String(line['code']),
    ),
    starts: tally(where('message', 'release'), (line) => String(line['release'])),
    faults: sum(lines, 'faults'),
    unconfirmedCharges: sum(lines, 'unconfirmedCharges'),
    sweeps: {
      count: sweeps.length,
      returned: sum(sweeps, 'returned'),
      failed: sum(sweeps, 'failed'),
      oldestHoldMs: Number(sweeps.at(-1)?.['oldestHoldMs'] ?? Number.NaN),
    },
    retiredVersions: where('event', 'version retired').length,
  };
}

/** Nothing where a line is no JSON object, as a process killed in mid-write leaves it. */
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

/** A metric is a number, or a list of them where it was told more than once. */
function sum(lines: readonly LogLine[], name: string): number {
  const values = lines.flatMap((line) => line[name]).filter((value) => typeof value === 'number');
  return values.reduce((total, value) => total + value, 0);
}
