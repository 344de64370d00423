import { jest } from '@jest/globals';

/** What this process has written to its streams while they were captured. */
export interface CapturedOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, in the order of writing. */
  readonly both: string;
  /** Lets the process write to its streams again. */
  restore(): void;
}

/** Captures everything that this process writes to its streams from now on, instead of printing it. */
export function captureOutput(): CapturedOutput {
  const written = { stdout: '', stderr: '', both: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    jest.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += text;
      written.both += text;
      return true;
    }),
  );
  return Object.assign(written, { restore: () => spies.forEach((spy) => void spy.mockRestore()) });
}
