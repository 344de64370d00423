import type { FoundResult, VerificationResult } from './result.ts';

/**
 * Lambda rejects responses larger than 6 MB, but only after the request has been charged. A verification whose response
 * would be larger than 4 MB therefore fails before the charge (contract D7). 10 KB of this limit are reserved for the
 * envelope and the headers.
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
  // Counts characters only if the lengths of the strings do not already prove that the data fits.
  return [largestSize, escapedSize].some((ofText) => sizeOf(content.data, ofText) <= MAX_CONTENT_BYTES);
}

/** Enough for a field's name, which has at most 30 characters, the punctuation around its value, and a number. */
const BYTES_PER_VALUE = 60;

/** Returns an upper bound on the data's size in the response that Lambda sends, or a number above the limit. */
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

/** Returns seven bytes for each character, which is the size of a control character: `\\u0001`. */
function largestSize({ length }: string): number {
  return 7 * length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the size of a well-formed string in the response. */
function escapedSize(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20) bytes += 7;
    else if (code === QUOTE || code === BACKSLASH) bytes += 4;
    else if (code < 0x80) bytes += 1;
    // A character outside the basic plane has two code units and four bytes.
    else bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
  }
  return bytes;
}
