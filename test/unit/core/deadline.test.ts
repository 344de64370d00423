import { expect, test } from '@jest/globals';
import { withDeadline } from '../../../shared/core/deadline.ts';

test('a promise that settles in time gives its value or its error', async () => {
  await expect(withDeadline(Promise.resolve(1), 100, 0)).resolves.toBe(1);
  await expect(withDeadline(Promise.reject(new Error('no')), 100, 0)).rejects.toThrow('no');
});

test('one that does not is OUTCOME_UNKNOWN, at once where the time has passed', async () => {
  const never = new Promise(() => {});

  await expect(withDeadline(never, 5, 0)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await expect(withDeadline(never, 0, 1000)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
});
