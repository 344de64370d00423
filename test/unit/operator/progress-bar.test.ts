import { describe, expect, test } from '@jest/globals';
import { progressBar } from '../../../clients/operator/progress-bar.ts';

function draw(isTTY: boolean | undefined, steps: readonly (readonly [number, number])[]): string[] {
  const written: string[] = [];
  const advance = progressBar({ isTTY, write: (text) => written.push(text) });
  for (const [done, total] of steps) advance(done, total);
  return written;
}

describe('the progress bar', () => {
  test('replaces its line and ends it with the last item', () => {
    expect(
      draw(true, [
        [0, 2],
        [1, 2],
        [2, 2],
      ]),
    ).toEqual([
      `\r[${'.'.repeat(30)}] 0 of 2 wallets`,
      `\r[${'#'.repeat(15)}${'.'.repeat(15)}] 1 of 2 wallets`,
      `\r[${'#'.repeat(30)}] 2 of 2 wallets\n`,
    ]);
  });

  test('is not drawn again if there was no progress', () => {
    expect(
      draw(true, [
        [1, 3],
        [1, 3],
      ]),
    ).toHaveLength(1);
  });

  test.each([false, undefined])(
    'is not drawn if stderr is not a terminal (%s), or if there are no items',
    (isTTY) => {
      expect(draw(isTTY, [[1, 2]])).toEqual([]);
      expect(draw(true, [[0, 0]])).toEqual([]);
    },
  );
});
