import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { startLocalService } from '../../infra/local/local-service.ts';
import { remoteControl } from '../support/remote-control.ts';
import { until } from '../support/until.ts';
import { FIXTURE } from './fixture-project.ts';

/** Deployments to a running service, from a project whose settings the tests edit. */

const projectDirectory = mkdtempSync(join(tmpdir(), 'identity-deploy-'));
function edit(context: object, app = `node ${join(FIXTURE, 'app.ts')}`): void {
  const settings = { app, context: { probeSeconds: 25, ...context } };
  writeFileSync(join(projectDirectory, 'cdk.json'), JSON.stringify(settings));
}
edit({});
const service = await startLocalService({ projectDirectory, seed: false });
const control = remoteControl(service.controlUrl);
afterAll(async () => {
  await service.stop();
  rmSync(projectDirectory, { recursive: true });
});

const probe = (body: object) =>
  fetch(`${service.baseUrl}/v1/probe`, { method: 'POST', body: JSON.stringify(body) });
async function release(): Promise<string | undefined> {
  const { environment } = (await (await probe({ mode: 'echo' })).json()) as {
    readonly environment: Readonly<Record<string, string>>;
  };
  return environment['RELEASE'];
}

const probes = async () => (await control.instances()).filter(({ function: name }) => name === 'probe');
const pids = (instances: Awaited<ReturnType<typeof probes>>) => new Set(instances.map(({ pid }) => pid));

test('a deployment loses no request: old processes finish their requests and end, and new ones serve the rest', async () => {
  const end = join(projectDirectory, 'end');
  const responses: string[] = [];
  const sendUntilEnd = async (body: object) => {
    while (!existsSync(end)) responses.push(await (await probe(body)).text());
  };
  // A long request runs at every moment of the deployment, however slow the machine is.
  const long = () => sendUntilEnd({ mode: 'until', file: end, ms: 15_000 });
  const clients = [long(), sleep(5_000).then(long), sendUntilEnd({ mode: 'wait', ms: 50 })];
  try {
    await until(async () => (await probes()).filter(({ busy }) => busy).length > 1);
    const old = pids(await probes());
    edit({ release: '2' });
    await control.deploy();
    const busy = pids((await probes()).filter((instance) => instance.busy));
    expect(old.intersection(busy).size).toBeGreaterThan(0);
    expect(await release()).toBe('2');
    writeFileSync(end, '');
    await Promise.all(clients);
    await until(async () => pids(await probes()).isDisjointFrom(old));
  } finally {
    writeFileSync(end, '');
    await Promise.all(clients);
  }
  expect(responses.length).toBeGreaterThan(clients.length);
  expect([...new Set(responses)]).toEqual(['waited']);
  edit({});
  await control.deploy();
  expect(await release()).toBe('1');
});

test('a deployment that fails to synthesise or would change secrets changes nothing', async () => {
  const before = await release();
  edit({ release: '3' }, 'echo a broken app >&2; exit 1');
  await expect(control.deploy()).rejects.toThrow('a broken app');
  edit({ release: '3', anotherSecret: true });
  await expect(control.deploy()).rejects.toThrow(
    'would change tables, secrets, queues, buckets, function URLs',
  );
  expect(await release()).toBe(before);
});
