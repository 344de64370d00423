import { describe, expect, test } from '@jest/globals';
import { decodeTime, isValid } from 'ulid';
import { newOperationId, newRequestId } from '../../../shared/core/ids.ts';

describe('an operation ID', () => {
  test('is a ULID with the time of the request', () => {
    for (const timeMs of [0, 1, 31, 32, 1_795_262_400_000, 2 ** 48 - 1]) {
      const id = newOperationId(timeMs);
      expect(isValid(id)).toBe(true);
      expect(decodeTime(id)).toBe(timeMs);
    }
    expect(Math.abs(decodeTime(newOperationId()) - Date.now())).toBeLessThan(60_000);
  });

  test('sorts by time', () => {
    const ids = [1_000, 1_001, 40_000, 1_795_262_400_000].map((timeMs) => newOperationId(timeMs));
    expect(ids.toSorted()).toEqual(ids);
  });

  test('is unique and uses every character of the alphabet', () => {
    const ids = Array.from({ length: 2_000 }, () => newOperationId(1));
    expect(new Set(ids).size).toBe(2_000);
    expect(new Set(ids.flatMap((id) => [...id.slice(10)])).size).toBe(32);
  });
});

test('a request ID consists of a prefix and 12 hexadecimal characters', () => {
  expect(newRequestId()).toMatch(/^req_[0-9a-f]{12}$/);
  expect(newRequestId()).not.toBe(newRequestId());
});
