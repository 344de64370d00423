import { isErasedTag } from '../core/keys.ts';
import type { TaggedRow } from './log-report-table.ts';

export interface Impact {
  /** Requests with a log row, including free replays and slips. */
  readonly lookUps: number;
  /** Look-ups that returned a record or a slip. */
  readonly found: number;
  readonly replays: number;
  readonly creditsCharged: number;
  /**
   * Distinct pseudonyms, except those of erased rows. A number has one pseudonym for each pepper, so a number that was
   * looked up both before and after a rotation of the pepper counts twice.
   */
  readonly numbers: number;
  /** Pseudonyms with at least one look-up that found a record. */
  readonly numbersFound: number;
  /** Look-ups whose number cannot be counted, because an erasure removed the pseudonym. */
  readonly erased: number;
  readonly services: readonly Share[];
  readonly outcomes: readonly Share[];
  /** Days in UTC. */
  readonly days: readonly Share[];
}

interface Share {
  readonly name: string;
  readonly lookUps: number;
  readonly found: number;
}

/** Counts the look-ups in these pages of log rows. */
export async function countImpact(
  pages: AsyncIterable<{ readonly rows: readonly TaggedRow[]; readonly scanned: number }>,
  onScanned: (rows: number) => void = () => undefined,
): Promise<Impact> {
  const numbers = new Map<string, boolean>();
  const shares = {
    service: new Map<string, Share>(),
    outcome: new Map<string, Share>(),
    day: new Map<string, Share>(),
  };
  let [lookUps, found, replays, creditsCharged, erased, scanned] = [0, 0, 0, 0, 0, 0];
  for await (const page of pages) {
    for (const row of page.rows) {
      const isFound = row.outcome === 'FOUND';
      lookUps += 1;
      if (isFound) found += 1;
      if (row.replayOf !== undefined) replays += 1;
      creditsCharged += row.creditsCharged;
      if (isErasedTag(row.numberTag)) erased += 1;
      else numbers.set(row.numberTag, isFound || numbers.get(row.numberTag) === true);
      add(shares.service, row.service, isFound);
      add(shares.outcome, row.outcome, isFound);
      add(shares.day, row.requestedAt.slice(0, 10), isFound);
    }
    scanned += page.scanned;
    onScanned(scanned);
  }
  return {
    ...{ lookUps, found, replays, creditsCharged, erased },
    numbers: numbers.size,
    numbersFound: [...numbers.values()].filter(Boolean).length,
    services: sorted(shares.service),
    outcomes: sorted(shares.outcome),
    days: sorted(shares.day),
  };
}

function sorted(shares: ReadonlyMap<string, Share>): Share[] {
  return [...shares.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function add(shares: Map<string, Share>, name: string, isFound: boolean): void {
  const { lookUps, found } = shares.get(name) ?? { lookUps: 0, found: 0 };
  shares.set(name, { name, lookUps: lookUps + 1, found: found + (isFound ? 1 : 0) });
}
