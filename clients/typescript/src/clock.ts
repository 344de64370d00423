import { onAbort } from './on-abort.ts';

/** Tests replace it, so that they do not depend on the machine's speed. */
export const clock = {
  nowMs: (): number => performance.now(),

  /** Returns a function that cancels the call. */
  timer(delayMs: number, callback: () => void): () => void {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },

  /** Or as soon as the signal is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(end, delayMs);
      const stop = onAbort(signal, end);
    });
  },
};
