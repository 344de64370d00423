import { expect, test } from '@jest/globals';
import { withDeadline } from '../../../shared/core/deadline.ts';

const never = new Promise(() => {});

test('a promise that settles before the deadline keeps its value or its error', async () => {
  await expect(withDeadline(Promise.resolve(1), 100, 0)).resolves.toBe(1);
  await expect(withDeadline(Promise.reject(new Error('no')), 100, 0)).rejects.toThrow('no');
});

test('a promise that misses the deadline fails with OUTCOME_UNKNOWN, even if the deadline has already passed', async () => {
  await expect(withDeadline(never, 5, 0)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await expect(withDeadline(never, 0, 1000)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});

test('a fallback value can replace the error, and is computed only after the deadline', async () => {
  await expect(withDeadline(never, 5, 0, () => 'late')).resolves.toBe('late');
  let isExpired = false;
  await withDeadline(Promise.resolve(1), 5, 0, () => {
    isExpired = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isExpired).toBe(false);
});
