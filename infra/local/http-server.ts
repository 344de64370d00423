import type { IncomingMessage, Server } from 'node:http';

/** A server on the loopback interface. */
export interface Listening {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Closes the server and all its connections, even busy ones. */
  close(): Promise<void>;
}

/**
 * Starts listening on 127.0.0.1. Port 0 selects a free port. Rejects if the port cannot be used: the error names the
 * `option` that selects another port.
 */
export async function listen(server: Server, port = 0, option = '--port'): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(portError(error, port, option)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portError(error: NodeJS.ErrnoException, port: number, option: string): Error {
  if (error.code === 'EADDRINUSE')
    return new Error(
      `Port ${port} is in use by another program. Stop that program, or choose another port with ${option}.`,
    );
  if (error.code === 'EACCES')
    return new Error(
      `You do not have permission to use port ${port}. Choose a port above 1023 with ${option}.`,
    );
  return error;
}

/** Returns the whole body of a request, or undefined if it is larger than the limit. Reads to the end either way. */
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
