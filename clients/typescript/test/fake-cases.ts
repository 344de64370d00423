import table from '../../fake-cases.json' with { type: 'json' };

/** The cases that the API and the fakes of both clients must pass. */

interface FakeRequestCase {
  readonly path: string;
  readonly body: object;
  readonly key?: string;
  readonly status: number;
  readonly code?: string;
  readonly reason?: string;
  readonly field?: string;
  readonly overall?: string;
  readonly charged?: string;
  readonly of_key?: string | null;
  readonly replayed?: string | null;
  readonly retry_after?: boolean;
  readonly has?: readonly string[];
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
  for (const { path, body, key, ...expected } of requests) {
    const response = await fetch(`${baseUrl}/api/v1/${path}/`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
      body: JSON.stringify(body).replace('{101}', 'r'.repeat(101)),
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
      retry_after: headers.has('Retry-After'),
      has: expected.has?.filter((name) => json.data?.[name]),
    };
    const names = Object.keys(expected) as (keyof typeof all)[];
    results.push({ found: Object.fromEntries(names.map((name) => [name, all[name]])), expected });
  }
  return results;
}
