import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LambdaFunctionURLEvent } from 'aws-lambda';
import { listen } from '../../infra/local/http-server.ts';
import { serveLookUp } from '../../shared/registries/sandbox/serve-look-up.ts';

/** Returns no signature, because the sandbox registry below does not check signatures. */
export const unsigned = async () => ({});

/** Starts the sandbox registry on a free port of the loopback interface, as its function URL serves it. */
export async function startSandbox(
  secret: string,
  pause: (delayMs: number) => Promise<unknown> = unrefSleep,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const event = { headers: request.headers, body: await text(request), isBase64Encoded: false };
    const result = await serveLookUp(event as unknown as LambdaFunctionURLEvent, { current: secret }, pause);
    if (typeof result === 'string') throw new Error('The sandbox registry must return an object.');
    response.writeHead(result.statusCode ?? 500, result.headers as Record<string, string>).end(result.body);
  });
  const { url, close } = await listen(server);
  return { url: `${url}/`, stop: close };
}

/** A slow look-up whose client has disconnected must not keep the test run alive. */
function unrefSleep(delayMs: number): Promise<unknown> {
  return sleep(delayMs, undefined, { ref: false });
}
