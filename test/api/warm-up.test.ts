import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { bundle } from '../../infra/bundle/bundle.ts';
import { type Listening, listen } from '../../infra/local/http-server.ts';
import { openStage, type Stage } from '../rigs/bench/stage/stage.ts';
import { eventOf, newNin } from '../rigs/bench/stage/verify.ts';
import type { Served } from './started-function.ts';

/**
 * The warm-up of a deployed function: the bundle of nin-basic, loaded as Lambda loads it, with proxies for DynamoDB and
 * Secrets Manager that can fail (docs/design/performance.md, "Warm-up").
 */

/** A proxy that counts the calls that it receives, and can reject them or leave them without a response. */
class FaultyProxy {
  mode: 'passes' | 'fails' | 'hangs' = 'passes';
  calls: string[] = [];
  #listening: Listening | undefined;

  async open(target: string): Promise<string> {
    const server = createServer(async (incoming, response) => {
      const body = await buffer(incoming);
      this.calls.push(String(incoming.headers['x-amz-target']).split('.')[1] ?? '');
      if (this.mode === 'hangs') return;
      if (this.mode === 'fails') {
        response.writeHead(500).end('{"__type":"InternalServerError"}');
        return;
      }
      const { method, headers } = incoming;
      request(new URL(incoming.url ?? '/', target), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }).end(body);
    });
    this.#listening = await listen(server);
    return this.#listening.url;
  }

  close(): Promise<void> | undefined {
    return this.#listening?.close();
  }
}

const cleanup = new AsyncDisposableStack();
const database = new FaultyProxy();
const secrets = new FaultyProxy();
let stage: Stage;
let environment: NodeJS.ProcessEnv;
let folder: string;
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'warm-up-'));
  cleanup.defer(() => rmSync(directory, { recursive: true }));
  stage = await openStage();
  cleanup.defer(() => stage.close());
  const urlOf = (name: string) => stage.environment[name] ?? '';
  environment = {
    ...stage.environment,
    PATH: process.env['PATH'],
    AWS_ENDPOINT_URL_DYNAMODB: await database.open(urlOf('AWS_ENDPOINT_URL_DYNAMODB')),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: await secrets.open(urlOf('AWS_ENDPOINT_URL_SECRETS_MANAGER')),
  };
  cleanup.defer(async () => {
    await Promise.all([database.close(), secrets.close()]);
  });
  folder = bundle({ 'nin-basic': 'functions/nin-basic.ts' }, directory).directories.get('nin-basic') ?? '';
});
afterAll(() => cleanup.disposeAsync());

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  for (const proxy of [database, secrets]) Object.assign(proxy, { mode: 'passes', calls: [] });
});

/** Starts a function, with or without its warm-up. Resolves when it can receive requests. */
async function start(file: 'start.mjs' | 'index.cjs' = 'start.mjs'): Promise<void> {
  child = fork(join(import.meta.dirname, 'started-function.ts'), [join(folder, file)], {
    env: environment,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  expect(await nextMessage()).toBe('started');
}

async function verify(key = stage.live): Promise<Served> {
  child?.send(eventOf(key, { id_number: newNin() }));
  return (await nextMessage()) as Served;
}

/** Returns the next message from the process. Rejects if the process ends first. */
async function nextMessage(): Promise<unknown> {
  if (!child) throw new Error('No function is running.');
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The function exited with ${code}.`))),
  ]);
  return message;
}

const portOf = (url: string | undefined) => Number(new URL(url ?? '').port);
const sandboxPort = () => portOf(environment['SANDBOX_URL']);
const databasePort = () => portOf(environment['AWS_ENDPOINT_URL_DYNAMODB']);

describe('the warm-up of a function', () => {
  test('reads once, fetches every secret of the function once, and writes nothing', async () => {
    await start();
    const names = Object.keys(stage.environment).filter((name) => name.endsWith('_SECRET'));

    // On a busy machine, the steps may go on after the time that an instance waits for them.
    while (secrets.calls.length < names.length) await sleep(10);
    expect(database.calls).toEqual(['BatchGetItem']);
    expect(secrets.calls).toEqual(names.map(() => 'GetSecretValue'));
  });

  test.each(['live', 'test'] as const)(
    'leaves the first request with a %s key no secret to fetch, and only a connection to the registry to open',
    async (env) => {
      await start();
      secrets.calls = [];
      const { statusCode, openedPorts } = await verify(stage[env]);

      expect(statusCode).toBe(200);
      expect(secrets.calls).toEqual([]);
      expect(openedPorts).toEqual([sandboxPort()]);
    },
  );

  test('saves calls: without it, the first request fetches a secret and connects to the database', async () => {
    await start('index.cjs');
    const { statusCode, openedPorts } = await verify();

    expect(statusCode).toBe(200);
    expect(secrets.calls).toContain('GetSecretValue');
    expect(openedPorts).toEqual(expect.arrayContaining([databasePort(), sandboxPort()]));
  });

  test.each([
    ['DynamoDB', 'fails', database],
    ['DynamoDB', 'hangs', database],
    ['Secrets Manager', 'fails', secrets],
    ['Secrets Manager', 'hangs', secrets],
  ] as const)('does not make the first request fail if a call to %s %s', async (_, mode, proxy) => {
    proxy.mode = mode;
    await start();
    expect(proxy.calls.length).toBeGreaterThan(0);
    proxy.mode = 'passes';
    const { statusCode } = await verify();

    expect(statusCode).toBe(200);
  });
});

test('the bundle contains an unchanged copy of start.mjs', () => {
  expect(readFileSync(join(folder, 'start.mjs'))).toEqual(readFileSync('infra/bundle/start.mjs'));
});
