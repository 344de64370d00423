const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Returns a function that ends the subscription. A signal that many calls share has only one listener: Node.js warns of
 * a leak if there are more than ten.
 */
export function onAbort(signal: AbortSignal | undefined, callback: () => void): () => void {
  if (!signal) return () => {};
  const waiting = callbacks.get(signal) ?? new Set();
  callbacks.set(signal, waiting);
  if (waiting.size === 0) signal.addEventListener('abort', callAll);
  waiting.add(callback);
  return () => {
    if (waiting.delete(callback) && waiting.size === 0) signal.removeEventListener('abort', callAll);
  };
}

function callAll(this: unknown): void {
  for (const callback of [...(callbacks.get(this as AbortSignal) ?? [])]) callback();
}
