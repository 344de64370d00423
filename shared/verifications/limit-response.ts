import type { FoundResult, VerificationResult } from './result.ts';

/**
 * Lambda rejects a response above 6 MB, when the request is already charged. A larger result therefore becomes a
 * failed verification before the charge (decision D7). 10 KB remain for the envelope and the headers.
 */
const MAX_BYTES = 4_000_000;
const MAX_CONTENT_BYTES = MAX_BYTES - 10_000;

/** Returns the result, or a failure if the response with it would be larger than 4 MB. */
export function limitResponse(result: VerificationResult): VerificationResult {
  if (result.kind !== 'found' || isWithinLimit(result.content)) return result;
  const { provider, failedProviders = [] } = result;
  return { kind: 'failed', detail: 'response-over-4mb', maybeBilled: true, provider, failedProviders };
}

function isWithinLimit(content: FoundResult['content']): boolean {
  if (content.type === 'pdf') return Math.ceil(content.bytes.length / 3) * 4 <= MAX_CONTENT_BYTES;
  // Characters are counted only if the lengths of the texts do not already show that they fit.
  return [largestSize, escapedSize].some((ofText) => sizeOf(content.data, ofText) <= MAX_CONTENT_BYTES);
}

/** Enough for the name of a field, which has up to 30 characters, the punctuation around its value, and a number. */
const BYTES_PER_VALUE = 60;

/** At least the size of the data in the response that Lambda sends, or a number above the limit. */
function sizeOf(value: unknown, ofText: (text: string) => number): number {
  if (typeof value === 'string') return ofText(value) + BYTES_PER_VALUE;
  if (typeof value !== 'object' || value === null) return BYTES_PER_VALUE;
  let bytes = BYTES_PER_VALUE;
  for (const entry of Object.values(value)) {
    bytes += sizeOf(entry, ofText);
    if (bytes > MAX_CONTENT_BYTES) break;
  }
  return bytes;
}

/** Seven bytes for each character, the size of control characters: `\\u0001`. */
function largestSize({ length }: string): number {
  return 7 * length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The size of a well-formed text in the response. It is counted, because rendering takes longer. Lambda sends the
 * body, which is JSON, as a JSON string, so quotes, backslashes and control characters are escaped twice: `"` becomes
 * `\\\"`.
 */
function escapedSize(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20) bytes += 7;
    else if (code === QUOTE || code === BACKSLASH) bytes += 4;
    else if (code < 0x80) bytes += 1;
    // A character outside the basic plane has two codes and four bytes.
    else bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
  }
  return bytes;
}
