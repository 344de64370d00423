import table from '../../fake-cases.json' with { type: 'json' };

/** The cases that the API and the fakes of both clients must pass. */

interface FakeRequestCase {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Of a POST. */
  readonly body?: object;
  readonly key?: string;
  readonly status: number;
  readonly code?: string;
  readonly reason?: string;
  readonly field?: string;
  readonly overall?: string;
  readonly charged?: string;
  readonly of_key?: string | null;
  readonly replayed?: string | null;
  readonly retry_after?: string;
  readonly has?: readonly string[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly first?: Readonly<Record<string, unknown>>;
}

export interface FakeCase {
  readonly name: string;
  readonly requests: readonly FakeRequestCase[];
}

export const fakeCases = table.cases as unknown as readonly FakeCase[];

/** Sends the requests of a case. Returns what each response has of the fields that the case names. */
export async function responsesOf(
  { requests }: FakeCase,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
): Promise<readonly { readonly found: object; readonly expected: object }[]> {
  const results = [];
  for (const { path, query, body, key, ...expected } of requests) {
    const response = await fetch(`${baseUrl}/api/v1/${path}/?${new URLSearchParams(query)}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      ...(body && { body: JSON.stringify(body).replace('{101}', 'r'.repeat(101)) }),
    });
    const { headers } = response;
    const text = await response.text();
    const json = text.startsWith('{') ? JSON.parse(text) : {};
    const all = {
      status: response.status,
      code: json.code,
      reason: json.error?.reason,
      field: json.error?.field,
      overall: json.match?.overall,
      charged: headers.get('X-Credits-Charged'),
      of_key: headers.get('Idempotency-Key-Charged'),
      replayed: headers.get('Idempotent-Replayed'),
      retry_after: headers.get('Retry-After'),
      has: expected.has?.filter((name) => json.data?.[name]),
      data: fieldsOf(json.data, expected.data),
      first: fieldsOf(listOf(json.data)?.[0], expected.first),
    };
    const names = Object.keys(expected) as (keyof typeof all)[];
    results.push({ found: Object.fromEntries(names.map((name) => [name, all[name]])), expected });
  }
  return results;
}

const LISTS = ['transactions', 'verifications'];

const listOf = (data: Readonly<Record<string, unknown[]>> | undefined) =>
  LISTS.map((name) => data?.[name]).find(Boolean);

/** Returns the fields that `expected` has. */
function fieldsOf(found: unknown, expected: object = {}): object {
  const names = new Set(Object.keys(expected));
  return Object.fromEntries(Object.entries(Object(found)).filter(([name]) => names.has(name)));
}
