import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The values that a later version may extend (docs/guides/versioning.md). */
const EXTENSIBLE: readonly string[] = ['code', 'gender', 'overall', 'reason', 'reasons', 'result'];

/**
 * Serves the JSON of a service as a later version might: each object has an additional field, and errors and matches have
 * codes, reasons and results that the document does not list.
 */
export async function startLaterVersion(baseUrl: string) {
  const server = createServer((request, response) => void forward(baseUrl, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

async function forward(baseUrl: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { 'content-type': type = '', authorization = '' } = request.headers;
  const received = await fetch(`${baseUrl}${request.url}`, {
    method: request.method ?? 'GET',
    headers: { Authorization: authorization, 'Content-Type': type },
    body: await buffer(request),
  });
  const body = later(await received.json());
  response.writeHead(received.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

function later(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(later);
  if (typeof value !== 'object' || value === null) return value;
  const isSuccess = 'success' in value && value.success === true;
  const entries = Object.entries(value).map(([name, inner]) => {
    if (!EXTENSIBLE.includes(name) || (name === 'code' && isSuccess)) return [name, later(inner)];
    return [name, Array.isArray(inner) ? [...inner, 'ADDED_LATER'] : 'ADDED_LATER'];
  });
  // With match_only, `data` is the number alone.
  const added = entries.length > 1 && { added_later: true };
  return { ...Object.fromEntries(entries), ...added };
}
