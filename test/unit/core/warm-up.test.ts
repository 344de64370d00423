import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { WARM_UP_MS, warmUp } from '../../../shared/core/warm-up.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

let output: CapturedOutput;
beforeEach(() => {
  jest.useFakeTimers();
  output = captureOutput();
});
afterEach(() => {
  output.restore();
  jest.useRealTimers();
});

const lines = () =>
  output.both
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the warm-up of an instance', () => {
  test('runs all steps at the same time and writes one log line', async () => {
    const begun: string[] = [];
    const release = Promise.withResolvers<void>();
    const step = (name: string) => () => {
      begun.push(name);
      return release.promise;
    };
    const done = warmUp([step('database'), step('secret')]);
    await jest.advanceTimersByTimeAsync(100);

    expect(begun).toEqual(['database', 'secret']);
    release.resolve();
    await done;
    expect(lines()).toMatchObject([
      { level: 'INFO', message: 'warm-up', latency_ms: 100, is_complete: true },
    ]);
  });

  test('never fails, whatever a step throws, and logs no error messages', async () => {
    const secretError = new TypeError('The key is 12345678901.');
    const steps = [
      () => {
        throw secretError;
      },
      () => Promise.reject(secretError),
      () => Promise.resolve(1),
    ];

    await expect(warmUp(steps)).resolves.toBeUndefined();
    expect(lines()).toMatchObject([{ level: 'WARN', is_complete: true, error_name: 'TypeError' }]);
    expect(output.both).not.toContain('12345678901');
  });

  test('does not wait longer than 2 s for a step that does not end', async () => {
    let isDone = false;
    const done = warmUp([() => new Promise(() => {}), async () => 1]).then(() => {
      isDone = true;
    });
    await jest.advanceTimersByTimeAsync(WARM_UP_MS - 1);
    expect(isDone).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await done;

    expect(WARM_UP_MS).toBeLessThanOrEqual(2_000);
    expect(lines()).toMatchObject([{ level: 'WARN', latency_ms: WARM_UP_MS, is_complete: false }]);
  });

  test('leaves no timer behind that would keep a process alive', async () => {
    await warmUp([async () => 1]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
