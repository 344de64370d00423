import { createServer } from 'node:http';
import type { DatabaseFault } from './aws/database-fault.ts';
import type { QueueCounts } from './aws/queue.ts';
import { listen, readBody } from './http-server.ts';

/** JSON over HTTP on the loopback interface. */

/** A process that runs a function. */
export interface InstanceState {
  /** Such as `nin-basic`. */
  readonly function: string;
  readonly pid: number;
  /** Whether it is serving a request. */
  readonly busy: boolean;
}

export interface QueueState extends QueueCounts {
  /** The name in AWS, such as `identity-local-webhooks`. */
  readonly name: string;
}

export interface Control {
  instances(): Promise<InstanceState[]>;
  /** With SIGKILL. False if there is no such process. */
  kill(pid: number): Promise<boolean>;
  queues(): Promise<QueueState[]>;
  /** Waits for the function. Rejects if it fails or does not exist. */
  runSchedule(functionName: string): Promise<void>;
  /**
   * Synthesises the app again and switches to it. Old functions finish their requests. Rejects without any change if
   * the synthesis fails, or if tables, secrets, queues, URLs, user pools or the number of APIs would change.
   */
  deploy(): Promise<void>;
  /** An empty list removes them. */
  setFaults(faults: readonly DatabaseFault[]): Promise<void>;
}

const MAX_BODY_BYTES = 64 * 1024;

/** On a free port, below a secret path that `url` includes. */
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
