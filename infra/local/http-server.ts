import type { IncomingMessage, Server } from 'node:http';

/** A server of the local runtime: on the loopback interface only. */
export interface Listening {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** Ends all connections, the busy ones too. */
  close(): Promise<void>;
}

/** Starts to listen on 127.0.0.1; port 0 takes any free one. Rejects in clear words where the port is taken. */
export async function listen(server: Server, port = 0): Promise<Listening> {
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const words = `Port ${port} is taken by another program. Stop it, or choose another port with --port.`;
      fail(error.code === 'EADDRINUSE' ? new Error(words) : error);
    });
    server.listen(port, '127.0.0.1', done);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The whole body of a request, or undefined where it is larger than the limit (the rest is thrown away). */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > maxBytes) return undefined;
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
