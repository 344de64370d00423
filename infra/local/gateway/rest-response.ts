export interface RestResponse {
  readonly status: number;
  /** Alternating names and values, for `writeHead`. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Developer guide, "Important notes". */
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

/** Headers that the gateway sets itself. */
const DROPPED = new Set(['content-length', 'transfer-encoding']);

/** `body` was sent separately. Undefined if the payload lacks the form of a proxy integration. */
export function restResponse(payload: unknown, body: Buffer | undefined): RestResponse | undefined {
  if (!isRecord(payload)) return undefined;
  const { statusCode, headers = {}, multiValueHeaders = {} } = payload;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  // A string body arrives separately, so this one is not a string.
  if (payload['body'] !== undefined && payload['body'] !== null) return undefined;
  const merged = mergeHeaders(headers, multiValueHeaders);
  if (!merged) return undefined;
  const flat: string[] = [];
  let hasType = false;
  for (const [name, values] of merged) {
    const lowerName = name.toLowerCase();
    if (DROPPED.has(lowerName)) continue;
    hasType ||= lowerName === 'content-type';
    for (const value of values) flat.push(REMAPPED.has(lowerName) ? `x-amzn-Remapped-${name}` : name, value);
  }
  if (!hasType) flat.push('Content-Type', 'application/json');
  return { status, headers: flat, body: body ?? Buffer.alloc(0) };
}

/** Returns undefined if one of them is malformed. */
function mergeHeaders(single: unknown, multiple: unknown): Map<string, string[]> | undefined {
  if (!isRecord(single ?? {}) || !isRecord(multiple ?? {})) return undefined;
  const merged = new Map<string, string[]>();
  for (const [name, value] of Object.entries(single ?? {})) {
    if (typeof value === 'object') return undefined;
    merged.set(name, [String(value)]);
  }
  for (const [name, values] of Object.entries(multiple ?? {})) {
    if (!Array.isArray(values)) return undefined;
    merged.set(name, values.map(String));
  }
  return merged;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
