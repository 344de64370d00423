import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { get, type Problem } from './api.ts';
import { formatNumber } from './format.ts';

interface ListPage {
  readonly next_cursor: string | null;
}

interface OlderPages<V extends ListPage> {
  readonly first: V;
  readonly pathOf: (cursor: string | null) => string;
  /** Adds an older page to those that were read. */
  readonly add: (read: V, older: V) => V;
  readonly countOf: (read: V) => number;
}

/** How many rows are looked for at once. A rare filter needs many pages, which may be empty, to find them. */
const ENOUGH = 20;
const PAUSE_MS = 2_000;

/** Returns the rows read so far, and a search for more. The search begins by itself if the first page has none. */
export function useOlderPages<V extends ListPage>({ first, pathOf, add, countOf }: OlderPages<V>) {
  const read = useSignal<V>(first);
  const isSearching = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const isStopped = useRef(false);
  const search = async () => {
    const wanted = countOf(read.value) + ENOUGH;
    isStopped.current = false;
    isSearching.value = true;
    problem.value = undefined;
    do {
      const result = await get<V>(pathOf(read.value.next_cursor));
      if (result.ok) read.value = add(read.value, result.data);
      else if (result.problem.code === 'RATE_LIMITED')
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      else problem.value = result.problem;
    } while (
      !isStopped.current &&
      !problem.value &&
      read.value.next_cursor !== null &&
      countOf(read.value) < wanted
    );
    isSearching.value = false;
  };
  const stop = () => {
    isStopped.current = true;
  };
  useEffect(() => {
    if (countOf(first) === 0 && first.next_cursor !== null) search();
    return stop;
  }, []);
  return { read, isSearching, problem, search, stop };
}

/** Says how many rows are shown: those so far, until the list has been read to its end. */
export function shownText(count: number, noun: string, isEnd: boolean, backTo = ''): string {
  const counted = `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
  if (isEnd) return `${counted} ${count === 1 ? 'is' : 'are'} shown.`;
  return `${counted} so far${backTo && `, back to ${backTo}`}.`;
}
