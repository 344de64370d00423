import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Listening, listen } from '../../../../infra/local/http-server.ts';
import { photoOf } from '../samples/photo.ts';

/** How much larger the photo of a live provider is than that of the sandbox, in bytes before base64. */
export const LIVE_PHOTO_BYTES = 61_875;

/** Headers of one connection, which are not passed on. */
const OF_CONNECTION = ['host', 'connection', 'content-length'];

/** Starts a proxy for the sandbox registry whose records have photos as large as those of live providers. */
export function startLiveRegistry(sandboxUrl: string): Promise<Listening> {
  const server = createServer(async (incoming, response) => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      if (!OF_CONNECTION.includes(name)) headers.set(name, String(value));
    const answer = await fetch(sandboxUrl, { method: 'POST', headers, body: await buffer(incoming) });
    const body = (await answer.json()) as { readonly entry?: { readonly photo?: string } };
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(withLivePhoto(body)));
  });
  return listen(server);
}

function withLivePhoto(body: { readonly entry?: { readonly photo?: string } }): object {
  const { entry } = body;
  if (!entry?.photo) return body;
  const photo = photoOf(Buffer.from(entry.photo, 'base64').length + LIVE_PHOTO_BYTES);
  return { ...body, entry: { ...entry, photo } };
}
