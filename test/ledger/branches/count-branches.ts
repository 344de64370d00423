import { type Profiler, Session } from 'node:inspector/promises';
import type { LocatedBranch } from './locate-branches.ts';

export type BranchCounts = Record<string, number>;

/**
 * Starts counting how often each branch of a script is taken, with the JavaScript engine's coverage, so that the source
 * needs no counters. Returns a function that reads the counts.
 */
export async function startCounting(
  script: string,
  branches: readonly LocatedBranch[],
): Promise<() => Promise<BranchCounts>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    session.disconnect();
    const ranges = result
      .filter(({ url }) => url === script)
      .flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
    const at = (offset: number) => innermost(ranges, offset)?.count ?? 0;
    return Object.fromEntries(branches.map(({ name, offset }) => [name, at(offset)]));
  };
}

function innermost(
  ranges: readonly Profiler.CoverageRange[],
  offset: number,
): Profiler.CoverageRange | undefined {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
  return around.reduce<Profiler.CoverageRange | undefined>(
    (best, range) =>
      best && best.endOffset - best.startOffset <= range.endOffset - range.startOffset ? best : range,
    undefined,
  );
}
