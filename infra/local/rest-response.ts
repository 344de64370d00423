/** From what a function returned to what a REST API answers. */

export interface RestResponse {
  readonly status: number;
  /** Names and values in turn, for `writeHead`. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Headers of a function that API Gateway gives back under another name (developer guide, "Important notes"). */
const REMAPPED = new Set([
  'authorization',
  'connection',
  'content-md5',
  'date',
  'expect',
  'host',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'upgrade',
  'user-agent',
  'www-authenticate',
]);

/** Headers that the gateway sets by itself. */
const DROPPED = new Set(['content-length', 'transfer-encoding']);

/** The answer, or undefined where the function's result has not the form that a proxy integration needs. */
export function restResponse(result: unknown, body: Buffer | undefined): RestResponse | undefined {
  if (!isRecord(result)) return undefined;
  const { statusCode, headers = {}, multiValueHeaders = {} } = result;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  // A text body came apart from the result; anything else that is left in its place is no text.
  if (result['body'] !== undefined && result['body'] !== null) return undefined;
  const lists = headerLists(headers, multiValueHeaders);
  if (!lists) return undefined;
  const flat: string[] = [];
  let hasType = false;
  for (const [name, values] of lists) {
    const lower = name.toLowerCase();
    if (DROPPED.has(lower)) continue;
    hasType ||= lower === 'content-type';
    for (const value of values) flat.push(REMAPPED.has(lower) ? `x-amzn-Remapped-${name}` : name, value);
  }
  if (!hasType) flat.push('Content-Type', 'application/json');
  return { status, headers: flat, body: body ?? Buffer.alloc(0) };
}

function headerLists(single: unknown, multiple: unknown): Map<string, string[]> | undefined {
  if (!isRecord(single ?? {}) || !isRecord(multiple ?? {})) return undefined;
  const lists = new Map<string, string[]>();
  for (const [name, value] of Object.entries(single ?? {})) {
    if (typeof value === 'object') return undefined;
    lists.set(name, [String(value)]);
  }
  for (const [name, values] of Object.entries(multiple ?? {})) {
    if (!Array.isArray(values)) return undefined;
    lists.set(name, values.map(String));
  }
  return lists;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
