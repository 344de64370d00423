/**
 * Returns a function that caches the result of `read` for `keptMs`, so that many requests of one instance cause one
 * read.
 */
export function readOncePer<T>(
  keptMs: number,
  nowMs: () => number,
  read: () => Promise<T>,
): () => Promise<T> {
  let kept: { readonly value: T } | undefined;
  let current: Promise<T> | undefined;
  let readAtMs = 0;
  return () => {
    if (current && nowMs() - readAtMs < keptMs) return current;
    readAtMs = nowMs();
    current = read().then(
      (value) => {
        kept = { value };
        return value;
      },
      (error: unknown) => {
        if (kept) return kept.value;
        current = undefined;
        throw error;
      },
    );
    return current;
  };
}
