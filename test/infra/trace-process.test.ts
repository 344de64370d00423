import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bundle } from '../../infra/bundle/bundle.ts';
import { startTraceDaemon, type TraceDaemon, traceHeaderOf } from '../support/trace-daemon.ts';

/** Traces of separate processes: no trace is lost when a process ends, and tracing does not keep the process alive. */

let daemon: TraceDaemon;
beforeAll(async () => {
  daemon = await startTraceDaemon();
});
afterAll(() => daemon.close());
beforeEach(() => {
  daemon.datagrams.length = 0;
});

/** Runs code in a new process with these environment variables. Returns its standard output once it exits. */
async function runAlone(code: string, environment: Record<string, string>): Promise<string> {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const args = ['--input-type=module', '-e', code];
  const env = { PATH: process.env['PATH'], ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env, timeout: 60_000 });
  return stdout.trim();
}

const BEGIN = "const { beginSubsegment } = await import('./shared/core/trace.ts');";
const SAMPLED = { _X_AMZN_TRACE_ID: traceHeaderOf() };
/** The environment of a function without tables and secrets. */
const FUNCTION = {
  ...SAMPLED,
  STAGE: 'local',
  POWERTOOLS_SERVICE_NAME: 'test',
  ALLOWED_METHODS: '{}',
};

describe('a traced process', () => {
  test('sends its first subsegment before it responds, even if it is killed right after', async () => {
    const code = `
      const { publicRoute } = await import('./shared/http/public-route.ts');
      const handler = publicRoute('some-route', async () => ({ kind: 'document', status: 200, contentType: 'text/html', body: '', headers: {} }));
      await handler({ requestContext: { requestTimeEpoch: Date.now() }, multiValueHeaders: {} }, {});
      process.kill(process.pid, 'SIGKILL');`;
    const env = { ...FUNCTION, AWS_XRAY_DAEMON_ADDRESS: daemon.address };
    await expect(runAlone(code, env)).rejects.toMatchObject({ signal: 'SIGKILL' });

    const [request] = await daemon.waitFor(1);
    expect(request).toMatchObject({ name: 'some-route', annotations: { route: 'some-route' } });
  });

  test('sends its first subsegment before it responds, even in a bundle', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'traced-bundle-'));
    try {
      bundle({ 'unknown-route': 'functions/unknown-route.ts' }, directory);
      const code = `
        const { handler } = await import(${JSON.stringify(join(directory, 'unknown-route/index.cjs'))});
        await handler({ resource: '/', requestContext: { requestTimeEpoch: Date.now() }, multiValueHeaders: {} }, {});
        process.kill(process.pid, 'SIGKILL');`;
      await expect(
        runAlone(code, { ...FUNCTION, AWS_XRAY_DAEMON_ADDRESS: daemon.address }),
      ).rejects.toMatchObject({ signal: 'SIGKILL' });
    } finally {
      rmSync(directory, { recursive: true });
    }

    const [request] = await daemon.waitFor(1);
    expect(request).toMatchObject({ name: 'unknown-route', error: true });
    expect(request?.annotations?.['code']).toBe('ROUTE_NOT_FOUND');
  });

  test('exits even if its socket is open', async () => {
    const env = { ...SAMPLED, AWS_XRAY_DAEMON_ADDRESS: daemon.address };
    await runAlone(`${BEGIN} await beginSubsegment('the only one')({});`, env);

    expect(await daemon.waitFor(1)).toHaveLength(1);
  });

  test('continues if no daemon listens', async () => {
    const closed = await startTraceDaemon();
    await closed.close();
    const code = `${BEGIN}
      for (let call = 0; call < 20; call += 1) {
        await beginSubsegment('a call')({});
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      console.log('done');`;
    expect(await runAlone(code, { ...SAMPLED, AWS_XRAY_DAEMON_ADDRESS: closed.address })).toBe('done');
  });

  test.each([
    '',
    'localhost:2000',
    '127.0.0.1',
    '127.0.0.1:0x7d0',
    '999.1.1.1:99999',
    'tcp:1.2.3.4:1 udp:1.2.3.4:1',
  ])('continues with the invalid address "%s"', async (address) => {
    const code = `${BEGIN} await beginSubsegment('a call')?.({}); console.log('done');`;
    expect(await runAlone(code, { ...SAMPLED, AWS_XRAY_DAEMON_ADDRESS: address })).toBe('done');
  });

  test('does not load node:dgram if its trace is not sampled', async () => {
    const code = `${BEGIN}
      beginSubsegment('a call');
      console.log(process.moduleLoadList.some((name) => name.endsWith(' dgram')));`;
    const daemonAddress = { AWS_XRAY_DAEMON_ADDRESS: daemon.address };
    const unsampled = { ...daemonAddress, _X_AMZN_TRACE_ID: traceHeaderOf({ sampled: '0' }) };

    expect(await runAlone(code, unsampled)).toBe('false');
    expect(await runAlone(code, { ...daemonAddress, ...SAMPLED })).toBe('true');
  });
});
