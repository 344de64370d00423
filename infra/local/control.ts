import { createServer } from 'node:http';
import { listen } from './http-server.ts';

/** A loopback address through which tests and tools steer a running service. Its path is secret, its answers JSON. */

/** One process that runs a function. */
export interface InstanceState {
  /** The function's name, for example `nin-basic`. */
  readonly function: string;
  readonly pid: number;
  /** Is it serving a request now? */
  readonly busy: boolean;
}

export interface Control {
  instances(): Promise<InstanceState[]>;
  /** SIGKILL, at once. False where no instance has this process id. */
  kill(pid: number): Promise<boolean>;
  /** Runs a scheduled function now, and waits for its end. Rejects where it failed or there is none such. */
  runSchedule(functionName: string): Promise<void>;
  /**
   * Synthesizes again and lets the new functions, routes and schedules serve from then on; the old functions finish
   * what they have. Rejects, and changes nothing, where that fails or the app wants other tables or secrets.
   */
  deploy(): Promise<void>;
}

/** Serves `control` at a secret path of a free port; `url` is the whole address. */
export async function startControlServer(
  control: Control,
  secret: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, content: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
    };
    const [, given, noun, name = ''] = (request.url ?? '').split('/');
    const order = `${request.method} ${noun}`;
    try {
      if (given !== secret) answer(404, {});
      else if (order === 'GET instances') answer(200, await control.instances());
      else if (order === 'DELETE instances') answer((await control.kill(Number(name))) ? 200 : 404, {});
      else if (order === 'POST schedules') answer(200, (await control.runSchedule(name)) ?? {});
      else if (order === 'POST deployments') answer(200, (await control.deploy()) ?? {});
      else answer(404, {});
    } catch (error) {
      answer(500, { error: error instanceof Error ? error.message : String(error) });
    }
  });
  const { url, close } = await listen(server);
  return { url: `${url}/${secret}`, close };
}

/** The same operations from another process, through the address that the service wrote down. */
export function remoteControl(url: string): Control {
  const call = async (method: string, path: string) => {
    const answer = await fetch(`${url}/${path}`, { method });
    const content = (await answer.json()) as unknown;
    if (answer.status === 500) throw new Error((content as { error: string }).error);
    return { status: answer.status, content };
  };
  return {
    instances: async () => (await call('GET', 'instances')).content as InstanceState[],
    kill: async (pid) => (await call('DELETE', `instances/${pid}`)).status === 200,
    runSchedule: async (functionName) => {
      await call('POST', `schedules/${functionName}`);
    },
    deploy: async () => {
      await call('POST', 'deployments');
    },
  };
}
