/** An entry of a list. `sort` is its sort key, which is unique among all sources. */
export interface Sorted {
  readonly sort: string;
}

/** Merges sources that are already sorted in `order`. Reads one entry ahead from each source. */
export async function* mergeSorted<T extends Sorted>(
  sources: readonly AsyncGenerator<T>[],
  order: 'ascending' | 'descending',
): AsyncGenerator<T> {
  const isBefore = (a: T, b: T) => (order === 'ascending' ? a.sort < b.sort : a.sort > b.sort);
  const heads = await Promise.all(sources.map(async (source) => ({ source, head: await source.next() })));
  for (;;) {
    const open = heads.filter(({ head }) => !head.done);
    const [first] = open.sort((a, b) => (isBefore(a.head.value, b.head.value) ? -1 : 1));
    if (!first || first.head.done) return;
    yield first.head.value;
    first.head = await first.source.next();
  }
}
