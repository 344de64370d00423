import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { remoteControl } from '../../infra/local/control.ts';
import { startLocalService } from '../../infra/local/local-service.ts';
import { FIXTURE } from './fixture-project.ts';

/** Deployments to a running service, from a project whose settings the tests edit. */

const projectDirectory = mkdtempSync(join(tmpdir(), 'identity-deploy-'));
function edit(context: object, app = `node ${join(FIXTURE, 'app.ts')}`): void {
  writeFileSync(join(projectDirectory, 'cdk.json'), JSON.stringify({ app, context }));
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
async function release(): Promise<{ release: string; pid: number }> {
  const { environment, pid } = (await (await probe({ mode: 'echo' })).json()) as {
    readonly environment: Readonly<Record<string, string>>;
    readonly pid: number;
  };
  return { release: environment['RELEASE'] ?? '', pid };
}

test('a deployment loses no request: old processes finish their requests and end, and new ones serve the rest', async () => {
  const { pid } = await release();
  let isOver = false;
  const responses: string[] = [];
  const clients = [0, 200, 400].map(async (delayMs) => {
    await sleep(delayMs);
    while (!isOver) responses.push(await (await probe({ mode: 'wait', ms: 600 })).text());
  });
  edit({ release: '2' });
  await control.deploy();
  const old = await control.instances();
  expect(old.some((instance) => instance.function === 'probe' && instance.busy)).toBe(true);
  expect(await release()).toMatchObject({ release: '2' });
  isOver = true;
  await Promise.all(clients);
  expect(responses.length).toBeGreaterThan(clients.length);
  expect([...new Set(responses)]).toEqual(['waited']);
  for (
    let attempts = 0;
    (await control.instances()).some((instance) => instance.pid === pid);
    attempts += 1
  ) {
    expect(attempts).toBeLessThan(100);
    await sleep(50);
  }
  edit({});
  await control.deploy();
  expect(await release()).toMatchObject({ release: '1' });
});

test('a deployment that fails to synthesise or would change secrets changes nothing', async () => {
  edit({ release: '3' }, 'echo a broken app >&2; exit 1');
  await expect(control.deploy()).rejects.toThrow('a broken app');
  edit({ release: '3', anotherSecret: true });
  await expect(control.deploy()).rejects.toThrow('would change tables, secrets, queues, function URLs');
  expect(await release()).toMatchObject({ release: '1' });
});
