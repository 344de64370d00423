/** Headers and parameters as payload version 1 has them: each name with all its values, and with the last alone. */
export type Lists = Record<string, string[]>;

/** Headers between the caller and the gateway alone; API Gateway keeps them from a function. */
const HOP_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Without a prototype: a caller may name a header or a parameter `constructor`. */
export function emptyLists(): Lists {
  return Object.create(null);
}

export interface HeaderSource {
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
  readonly sourceIp: string;
  readonly requestId: string;
}

/** The headers of a request, with those that API Gateway adds. */
export function headerLists({ rawHeaders, sourceIp, requestId }: HeaderSource): Lists {
  const lists = emptyLists();
  const spelling = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (HOP_HEADERS.has(lower)) continue;
    // Two spellings of one name are one header, under the spelling that came first.
    const known = spelling.get(lower) ?? name;
    spelling.set(lower, known);
    lists[known] = [...(lists[known] ?? []), rawHeaders[index + 1] ?? ''];
  }
  // A caller's own X-Forwarded-Proto stays, so that the rule for plain HTTP can be tried out here (decision C12).
  if (!spelling.has('x-forwarded-proto')) lists['X-Forwarded-Proto'] = ['https'];
  if (!spelling.has('x-forwarded-port')) lists['X-Forwarded-Port'] = ['443'];
  const forwardedFor = spelling.get('x-forwarded-for') ?? 'X-Forwarded-For';
  lists[forwardedFor] = [[...(lists[forwardedFor] ?? []), sourceIp].join(', ')];
  if (!spelling.has('x-amzn-trace-id')) lists['X-Amzn-Trace-Id'] = [`Root=1-${requestId}`];
  return lists;
}

export function lastValues(lists: Lists): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const name in lists) values[name] = lists[name]?.at(-1) ?? '';
  return values;
}
