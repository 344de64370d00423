import { relative } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { numberFormat } from '../../shared/core/id-types.ts';
import { followFile } from './follow-file.ts';
import { type LocalService, startLocalService } from './local-service.ts';

/** `npm start`: the whole service on this machine, until Ctrl-C. */

interface Flags {
  readonly port: number;
  readonly data?: string;
  readonly instances?: number;
  readonly verbose?: true;
}

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It is a whole number from ${min} to ${max}.`);
  };
}

const command = new Command('npm start --')
  .description('Runs the whole service on this machine, as the CDK app describes it.')
  .option(
    '--port <number>',
    'port of the API on 127.0.0.1; 0 takes any free one',
    wholeNumber(0, 65_535),
    3000,
  )
  .option('--data <directory>', 'keep tables, secrets and the demo organisation there between runs')
  .option('--instances <number>', 'processes that one function may have at once', wholeNumber(1, 64))
  .option('--verbose', 'show what the functions write')
  .parse();

const { port, data, instances, verbose } = command.opts<Flags>();
const startedAtMs = performance.now();
const service = startLocalService({
  port,
  ...(data !== undefined && { dataDirectory: data }),
  ...(instances !== undefined && { instances }),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(signal));

try {
  const running = await service;
  if (verbose) followFile(running.logFile, process.stdout);
  process.stdout.write(welcome(running, (performance.now() - startedAtMs) / 1000));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function end(signal: string): Promise<void> {
  process.stdout.write(`\n${signal}: ending all functions and the database ...\n`);
  await service.then((running) => running.stop()).catch(() => {});
  process.exit();
}

function welcome({ baseUrl, logFile, credentials }: LocalService, seconds: number): string {
  const here = (file: string) => relative(process.cwd(), file);
  const body = JSON.stringify({ id_number: numberFormat('NIN').example });
  return `
Ready at ${baseUrl} after ${seconds.toFixed(1)} s. Try it:

  curl -i ${baseUrl}/api/v1/ng/nin-basic/ \\
    -H 'Authorization: Bearer ${credentials?.live.apiKey}' \\
    -H 'Content-Type: application/json' -d '${body}'

It answers 200, X-Credits-Charged: 1 and an envelope of this shape (the person is invented):

  { "success": true, "code": "NIN_VERIFIED", "message": "...", "verification_type": "NIN",
    "summary": { "verified": true, "verification_type": "NIN", "provider": "Sandbox", "confidence_score": 1.0 },
    "data": { "nin": "...", "firstname": "...", "lastname": "...", "middlename": "...", "phone": "...",
              "gender": "m", "birthdate": "DD-MM-YYYY", "photo": "<Base64>",
              "residence": { "address1": "...", "town": "...", "lga": "...", "state": "..." } },
    "meta": { "request_id": "req_...", "timestamp": "..." } }

Keys: .local/credentials.json   What functions write: ${here(logFile)}   Ctrl-C ends it.
`;
}
