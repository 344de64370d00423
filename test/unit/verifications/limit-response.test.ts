import { describe, expect, test } from '@jest/globals';
import { limitResponse } from '../../../shared/verifications/limit-response.ts';
import type { FoundResult } from '../../../shared/verifications/result.ts';

const provider = { name: 'prembly', displayName: 'Prembly' };
const found = (content: FoundResult['content']): FoundResult => ({ kind: 'found', provider, content });
const json = (data: unknown) => found({ type: 'json', data });
const pdf = (size: number) => found({ type: 'pdf', bytes: new Uint8Array(size), fileName: 'slip.pdf' });

/** Returns the number of bytes in the response that Lambda sends for this result. */
const sentBytes = (result: FoundResult) =>
  Buffer.byteLength(JSON.stringify({ body: JSON.stringify(result.content) }));

describe('a result whose response would be larger than 4 MB fails:', () => {
  test.each([
    ['plain letters', 'A', 1],
    ['letters of three bytes', 'Ọ', 3],
    ['letters of two bytes', 'é', 2],
    ['characters outside the basic plane', '𞤀', 4],
    ['quotes', '"', 4],
    ['control characters', '\u0001', 7],
  ])('%s', (_, character, bytes) => {
    const fits = json({ name: character.repeat(Math.floor(3_980_000 / bytes)) });
    expect(sentBytes(fits)).toBeGreaterThan(3_900_000);
    expect(limitResponse(fits)).toBe(fits);
    const isTooLarge = json({ name: character.repeat(Math.ceil(4_000_000 / bytes)) });
    expect(sentBytes(isTooLarge)).toBeGreaterThan(4_000_000);
    expect(limitResponse(isTooLarge)).toEqual({
      kind: 'failed',
      detail: 'response-over-4mb',
      maybeBilled: true,
      provider,
      failedProviders: [],
    });
  });

  test('many small values', () => {
    const result = json(
      Array(100).fill(
        Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${index}`, 'A'.repeat(40)])),
      ),
    );
    expect(sentBytes(result)).toBeGreaterThan(4_000_000);
    expect(limitResponse(result).kind).toBe('failed');
  });

  test('a slip, whose PDF is sent as base64', () => {
    expect(limitResponse(pdf(2_900_000)).kind).toBe('found');
    expect(limitResponse(pdf(3_000_000)).kind).toBe('failed');
  });
});

test('other results do not change', () => {
  const photo = json({
    nin: '12345678901',
    photo: 'A'.repeat(1_500_000),
    affiliates: [{ shares: 1, pct: null }],
  });
  const failed = { kind: 'timeout', detail: 'after-sending', provider } as const;
  for (const result of [photo, failed]) expect(limitResponse(result)).toBe(result);
});
