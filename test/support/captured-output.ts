import { jest } from '@jest/globals';

export interface CapturedOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** The output of both streams, in the order in which it was written. */
  readonly both: string;
  restore(): void;
}

/**
 * Captures everything that this process writes to its streams from now on, instead of printing it. Until `restore`, the
 * streams count as a terminal only if `isTerminal` is true, whether or not the tests were started in one.
 */
export function captureOutput({ isTerminal = false } = {}): CapturedOutput {
  const written = { stdout: '', stderr: '', both: '' };
  const restores = (['stdout', 'stderr'] as const).map((name) => {
    const stream = process[name];
    const { isTTY, columns } = stream;
    Object.assign(stream, { isTTY: isTerminal, columns: undefined });
    const spy = jest.spyOn(stream, 'write').mockImplementation((text) => {
      written[name] += text;
      written.both += text;
      return true;
    });
    return () => {
      spy.mockRestore();
      Object.assign(stream, { isTTY, columns });
    };
  });
  return Object.assign(written, { restore: () => restores.forEach((restore) => void restore()) });
}
