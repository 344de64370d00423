import type { Control, InstanceState, QueueState } from '../../infra/local/control.ts';

/** Returns a client for the control API of a running service. `url` is `controlUrl` of `service.json`. */
export function remoteControl(url: string): Control {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const content = (await response.json()) as unknown;
    if (response.status === 500) throw new Error((content as { error: string }).error);
    return { status: response.status, content };
  };
  return {
    instances: async () => (await call('GET', 'instances')).content as InstanceState[],
    kill: async (pid) => (await call('DELETE', `instances/${pid}`)).status === 200,
    queues: async () => (await call('GET', 'queues')).content as QueueState[],
    runSchedule: async (functionName) => {
      await call('POST', `schedules/${functionName}`);
    },
    deploy: async () => {
      await call('POST', 'deployments');
    },
    setFaults: async (faults) => {
      await call('PUT', 'faults', faults);
    },
  };
}
