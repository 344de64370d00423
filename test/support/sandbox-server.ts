import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { serveLookUp } from '../../shared/registries/sandbox/serve-look-up.ts';

/** The sandbox registry on a free loopback port, as its function URL serves it. */
export async function startSandbox(secret: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const event = { headers: request.headers, body: await text(request), isBase64Encoded: false };
    const answer = await serveLookUp(
      event as unknown as LambdaFunctionURLEvent,
      { current: secret },
      unrefSleep,
    );
    if (typeof answer === 'string') throw new Error('The sandbox answers with an object.');
    response.writeHead(answer.statusCode ?? 500, answer.headers as Record<string, string>).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An answer that nobody waits for any more must not keep the test run alive. */
function unrefSleep(delayMs: number): Promise<unknown> {
  return sleep(delayMs, undefined, { ref: false });
}
