import { createServer } from 'node:http';
import type { DatabaseFault } from './aws/database-fault.ts';
import type { QueueCounts } from './aws/queue.ts';
import { listen, readBody } from './http-server.ts';

/** The control API of a running service, for tests and tools: JSON over HTTP on the loopback interface. */

/** A process that runs a function. */
export interface InstanceState {
  /** The short name of the function, such as `nin-basic`. */
  readonly function: string;
  readonly pid: number;
  /** Whether it is serving a request. */
  readonly busy: boolean;
}

/** A queue, and how many messages it has in each state. */
export interface QueueState extends QueueCounts {
  /** The name in AWS, such as `identity-local-webhooks`. */
  readonly name: string;
}

export interface Control {
  instances(): Promise<InstanceState[]>;
  /** Kills an instance with SIGKILL. Returns false if no instance has this process ID. */
  kill(pid: number): Promise<boolean>;
  queues(): Promise<QueueState[]>;
  /** Runs a scheduled function now and waits for it. Rejects if it fails or does not exist. */
  runSchedule(functionName: string): Promise<void>;
  /**
   * Synthesises the app again and switches to its functions, routes and schedules. Old functions finish their requests.
   * Rejects without any change if the synthesis fails, or if tables, secrets, queues, function URLs, user pools or the
   * number of APIs would change.
   */
  deploy(): Promise<void>;
  /** Replaces the faults injected into requests to DynamoDB. An empty list removes them. */
  setFaults(faults: readonly DatabaseFault[]): Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024;

/** Serves `control` on a free port, below a secret path. `url` includes the path. */
export async function startControlServer(
  control: Control,
  secret: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const respond = (status: number, content: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
    };
    const [, path, noun, name = ''] = (request.url ?? '').split('/');
    const operation = `${request.method} ${noun}`;
    try {
      if (path !== secret) respond(404, {});
      else if (operation === 'GET instances') respond(200, await control.instances());
      else if (operation === 'GET queues') respond(200, await control.queues());
      else if (operation === 'DELETE instances') respond((await control.kill(Number(name))) ? 200 : 404, {});
      else if (operation === 'POST schedules') respond(200, (await control.runSchedule(name)) ?? {});
      else if (operation === 'POST deployments') respond(200, (await control.deploy()) ?? {});
      else if (operation === 'PUT faults') {
        await control.setFaults(JSON.parse(String(await readBody(request, MAX_BODY_BYTES))));
        respond(200, {});
      } else respond(404, {});
    } catch (error) {
      respond(500, { error: error instanceof Error ? error.message : String(error) });
    }
  });
  const { url, close } = await listen(server);
  return { url: `${url}/${secret}`, close };
}
