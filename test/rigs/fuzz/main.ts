import '../../security/environment.ts';

import { parseArgs } from 'node:util';
import { captureLines } from '../../security/captured.ts';
import { startSecretDouble } from '../../security/secret-double.ts';
import { runFuzz } from './run-fuzz.ts';

/**
 * `npm run fuzz -- --requests N --seed S` sends mutated requests to the handlers in this process. Prints the number of
 * responses by code, and the faults with their seeds. `--requests 1 --seed <seed>` repeats one request. Exits with 1 if
 * there was a fault.
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});

const unhandled: string[] = [];
process.on('unhandledRejection', (reason) => unhandled.push(`unhandled rejection: ${String(reason)}`));
const secrets = await startSecretDouble({ current: 'a slip key of tests' });
const lines = captureLines();
const [requests, seed] = [Number(values.requests), Number(values.seed)];
const startedMs = performance.now();
const { codes, faults, requests: done } = await runFuzz({ requests, seed, lines });
await secrets.close();
const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
console.log(`${done} mutated requests in ${seconds} s, seed ${seed}`);
for (const [code, times] of [...codes].sort(([, a], [, b]) => b - a)) console.log(`  ${times} ${code}`);
const all = [...faults, ...unhandled];
for (const fault of all.slice(0, 20)) console.log(fault);
console.log(`${all.length} faults`);
process.exitCode = all.length === 0 && done === requests ? 0 : 1;
