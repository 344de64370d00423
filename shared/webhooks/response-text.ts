import type { ClientRequest } from 'node:http';
import { maskLongNumbers } from '../core/printable-text.ts';

const MOST_BYTES = 2048;
/** More than any number that the end of the text could cut. */
const MORE_DIGITS = '0'.repeat(10);
/** An escape that the end of the text may have cut. */
const CUT_ESCAPE = /(?:\\+u?[0-9a-f]{0,3}|&[#a-z0-9]{0,8})$/i;
const CONTROLS = /[^\P{Cc}\t\n\r]/u;

/**
 * Collects the first 2 KB of the response's body, and calls `onEnd` when they or the whole body have arrived. Returns a
 * function that returns what has arrived by then, with long numbers masked. It returns undefined for what is empty or not
 * text.
 */
export function responseText(request: ClientRequest, onEnd: () => void): () => string | undefined {
  let body = Buffer.alloc(0);
  let isComplete = false;
  request.once('response', (response) => {
    response.on('data', (chunk: Buffer) => {
      body = Buffer.concat([body, chunk]);
      if (body.length > MOST_BYTES) onEnd();
    });
    response.once('end', () => {
      isComplete = true;
      onEnd();
    });
  });
  return () => {
    const text = decoded(body.subarray(0, MOST_BYTES));
    if (!text || CONTROLS.test(text)) return undefined;
    if (isComplete && body.length <= MOST_BYTES) return maskLongNumbers(text);
    return maskLongNumbers(text.replace(CUT_ESCAPE, '') + MORE_DIGITS).slice(0, -MORE_DIGITS.length);
  };
}

/** Without a last character that is incomplete. Undefined if it is not UTF-8. */
function decoded(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
