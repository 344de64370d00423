/** The clock of the client. Tests replace its functions, so that they do not depend on the speed of the machine. */
export const clock = {
  nowMs: (): number => performance.now(),

  /** Calls the function after the delay. Returns a function that cancels the call. */
  timer(delayMs: number, callback: () => void): () => void {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },

  /** Resolves after the delay, or as soon as the signal is aborted. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, delayMs);
      signal?.addEventListener('abort', end);
    });
  },
};
