import { type Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** Sends a request with the least work that a client can do, and reads the whole response. */
export function post(
  url: URL,
  agent: Agent,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ readonly status: number; readonly body: Buffer }> {
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', agent, headers: { ...headers, ...length } },
      (incoming) => {
        buffer(incoming).then((text) => resolve({ status: incoming.statusCode ?? 0, body: text }), reject);
      },
    );
    outgoing.once('error', reject).end(body);
  });
}
