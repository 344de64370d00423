import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PIN } from '../../support/pin-stages.ts';

export interface Emulator {
  readonly account: string;
  readonly region: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly settings: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  stop(): Promise<void>;
}

const START_MS = 60_000;
const TEST_CREDENTIAL = 'test';

/** `operatorsUrl`: where the operator API of prod is served. */
export async function startEmulator(
  python: string,
  environment: NodeJS.ProcessEnv,
  operatorsUrl: string,
): Promise<Emulator> {
  const port = await freePort();
  const program = ['-B', join(import.meta.dirname, 'server.py'), String(port), operatorsUrl];
  const server = spawn(join(python, 'python'), program);
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  let output = '';
  server.stderr.on('data', (text) => {
    output += String(text);
  });
  server.stdout.resume();
  const address = `http://localhost:${port}`;
  const stop = () => {
    server.kill();
    return ended;
  };
  const lastMs = Date.now() + START_MS;
  while (!(await isReady(`${address}/moto-api/`))) {
    if (Date.now() > lastMs || server.exitCode !== null) {
      await stop();
      throw new Error(`moto did not start:\n${output}`);
    }
    await wait(250);
  }
  return {
    ...PIN,
    environment: {
      ...environment,
      AWS_ENDPOINT_URL: address,
      AWS_ACCESS_KEY_ID: TEST_CREDENTIAL,
      AWS_SECRET_ACCESS_KEY: TEST_CREDENTIAL,
      AWS_REGION: PIN.region,
      AWS_DEFAULT_REGION: PIN.region,
    },
    settings: {
      endpoint: address,
      region: PIN.region,
      credentials: { accessKeyId: TEST_CREDENTIAL, secretAccessKey: TEST_CREDENTIAL },
    },
    stop,
  };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
