import type { IncomingMessage } from 'node:http';
import { parseExactJson } from '../../core/exact-json.ts';

/** The result of one HTTP request. `sent`: the provider may have seen, and billed, the request. */
export type HttpResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The parsed body, in which integers beyond 2^53 are strings. Undefined if it is not JSON in UTF-8. */
      readonly json: unknown;
    }
  | { readonly kind: 'unreachable' | 'timeout'; readonly sent: boolean; readonly detail: string }
  | {
      readonly kind: 'invalid';
      readonly detail:
        | 'too-large'
        | 'too-many-chunks'
        | 'too-many-values'
        | 'redirect'
        | 'encoded'
        | 'truncated'
        | 'not-http';
    };

/** Enough for 2 MB in chunks of 200 bytes. */
const MAX_CHUNKS = 10_000;

/** Reads a response to the end, or until it is rejected. */
export function readResponse(
  incoming: IncomingMessage,
  maxBytes: number,
  settle: (result: HttpResult) => void,
): void {
  const rejected = rejection(incoming, maxBytes);
  if (rejected) {
    settle({ kind: 'invalid', detail: rejected });
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) settle({ kind: 'invalid', detail: 'too-large' });
    else if (chunks.length === MAX_CHUNKS) settle({ kind: 'invalid', detail: 'too-many-chunks' });
    else chunks.push(chunk);
  });
  // The provider did the work even though the body is incomplete, so the request must not be repeated.
  incoming.on('error', () => settle({ kind: 'invalid', detail: 'truncated' }));
  incoming.on('end', () => {
    const body = Buffer.concat(chunks);
    if (hasManyValues(body)) return settle({ kind: 'invalid', detail: 'too-many-values' });
    settle({ kind: 'response', status: incoming.statusCode ?? 0, json: parseJson(body) });
  });
}

/** Returns why a response must be rejected because of its status or a header. Undefined if it need not be. */
function rejection(
  incoming: IncomingMessage,
  maxBytes: number,
): 'redirect' | 'encoded' | 'too-large' | undefined {
  const status = incoming.statusCode ?? 0;
  if (status >= 300 && status < 400) return 'redirect';
  if ((incoming.headers['content-encoding'] ?? 'identity') !== 'identity') return 'encoded';
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return 'too-large';
  return undefined;
}

/** Room for 500 companies or affiliates with 100 fields each. */
const MAX_VALUES = 50_000;
const BEFORE_VALUES = Buffer.from(',[{');

/**
 * Whether the body has so many values that parsing it would block the function: 2 MB of nested lists take half a
 * second. Counts only the characters that precede values, which base64 photos do not contain, so this is much faster
 * than parsing.
 */
function hasManyValues(body: Buffer): boolean {
  let values = 0;
  for (const character of BEFORE_VALUES)
    for (let at = body.indexOf(character); at >= 0; at = body.indexOf(character, at + 1)) {
      values += 1;
      if (values > MAX_VALUES) return true;
    }
  return false;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(body: Buffer): unknown {
  try {
    return parseExactJson(utf8.decode(body));
  } catch {
    return undefined;
  }
}
