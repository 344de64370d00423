import type { RequestForm } from '../reference.ts';

/** Sends a request from a page of the reference. */

/** The values that the reader filled in. */
interface Input {
  readonly apiKey: string;
  /** The values of the parameters, by name. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
}

interface ShownResponse {
  readonly status: number;
  /** `X-Request-Id: req_...`, and so on. */
  readonly headers: readonly string[];
  readonly text: string;
  /** Instead of `text`, if the response is a PDF. */
  readonly file?: { readonly url: string; readonly name: string };
}

/** A response, or the reason why there is none. */
export type Shown = ShownResponse | { readonly problem: string };

export function isResponse(shown: Shown): shown is ShownResponse {
  return 'status' in shown;
}

const SHOWN_HEADERS = ['X-Request-Id', 'X-Credits-Charged', 'Retry-After', 'Idempotent-Replayed'];
const MAX_LINE = 160;
const INVALID_HEADER =
  'Not sent: a header contains an invalid character. Check the API key and the values of the headers.';

/** Sends the request. Returns a problem if there is no response. */
export async function sendRequest(request: RequestForm, { apiKey, values, body }: Input): Promise<Shown> {
  const filled = request.parameters.filter(({ name }) => values[name]);
  const query = new URLSearchParams();
  const sent: [string, string][] = [['Accept', '*/*']];
  let path = request.path;
  for (const { name, in: location } of filled) {
    const value = values[name] ?? '';
    if (location === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (location === 'query') query.set(name, value);
    else sent.push([name, value]);
  }
  if (request.needsKey) sent.push(['Authorization', `Bearer ${apiKey}`]);
  if (request.body !== undefined) sent.push(['Content-Type', 'application/json']);
  const headers = headersOf(sent);
  if (!headers) return { problem: INVALID_HEADER };
  try {
    const response = await fetch(`${path}${query.size > 0 ? `?${query}` : ''}`, {
      method: request.method,
      headers,
      ...(request.body !== undefined && { body }),
    });
    return await shownResponse(response);
  } catch {
    return { problem: 'No response. Check that the local service is still running (npm start).' };
  }
}

/** Returns undefined if a value contains a character that headers may not contain, such as ₦. */
function headersOf(sent: [string, string][]): Headers | undefined {
  try {
    return new Headers(sent);
  } catch {
    return undefined;
  }
}

async function shownResponse(response: Response): Promise<ShownResponse> {
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  const shown = { status: response.status, headers };
  const type = response.headers.get('Content-Type') ?? '';
  if (type.startsWith('application/pdf')) {
    const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
    return {
      ...shown,
      text: '',
      file: { url: URL.createObjectURL(await response.blob()), name: name ?? 'slip.pdf' },
    };
  }
  const text = await response.text();
  return { ...shown, text: type.startsWith('application/json') ? indented(text) : text };
}

/** Returns JSON with one field per line. Long lines, such as those with photos, are truncated. */
function indented(json: string): string {
  const lines = JSON.stringify(JSON.parse(json), null, 2).split('\n');
  return lines.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}...` : line)).join('\n');
}
