import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startSandbox } from '../../support/sandbox-server.ts';
import { startReplay } from './leak/replay.ts';
import { verifyOnTheWire } from './stage/one-verification.ts';
import { openStage, startSecretsOf } from './stage/stage.ts';
import { buildVariants } from './variants.ts';

/**
 * `npm run rig -- leak [requests]` sends requests (200,000) to one function process, and reads its memory after a
 * garbage collection. Its registry and database respond, but store nothing. Exits with 1 if the heap after the last
 * tenth is more than 5% larger than after the second, or if a response has the wrong status.
 */
export interface Part {
  readonly requests: number;
  readonly heapMb: number;
  readonly residentMb: number;
  readonly perSecond: number;
  readonly failed: number;
}

const ENDINGS = ['0001', '0404', '0400', '0206'];
const MAX_GROWTH = 1.05;
const requests = Number(process.argv[2] ?? 200_000);
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;
console.warn = () => undefined;

const variants = await buildVariants();
const stage = await openStage();
const stories = await verifyOnTheWire(stage, ENDINGS);
await stage.close();
const replay = await startReplay([...stories.values()].flat());
const secret = stage.environment['SANDBOX_KEY'] ?? '';
const sandbox = await startSandbox(secret);
const secrets = await startSecretsOf(secret);
const child = fork(
  join(import.meta.dirname, 'samples/endless.ts'),
  [variants.deployed, stage.live, String(requests), ENDINGS.join()],
  {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {
      ...process.env,
      ...stage.environment,
      AWS_ENDPOINT_URL_DYNAMODB: replay.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      SANDBOX_URL: sandbox.url,
    },
  },
);
const parts: Part[] = [];
print('| requests | heap MB | resident MB | requests/s |\n|---|---|---|---|\n');
child.on('message', (message) => {
  const part = message as Part;
  parts.push(part);
  const { heapMb, residentMb, perSecond } = part;
  print(`| ${part.requests} | ${heapMb.toFixed(1)} | ${residentMb.toFixed(0)} | ${perSecond.toFixed(0)} |\n`);
});
await once(child, 'exit');
variants.remove();
const growth = (parts.at(-1)?.heapMb ?? Number.NaN) / (parts[1]?.heapMb ?? Number.NaN);
const failed = parts.reduce((sum, part) => sum + part.failed, 0);
print(
  `Heap at the end / after the second tenth: ${growth.toFixed(3)}; ${failed} responses with the wrong status.\n`,
);
process.exit(growth <= MAX_GROWTH && failed === 0 ? 0 : 1);
