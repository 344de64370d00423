import { createReadStream, statSync, watchFile } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { numberFormat } from '../../shared/core/numbers.ts';
import { type ConsoleDescription, type LocalService, startLocalService } from './local-service.ts';

/** `npm start`: runs the whole service on this machine until Ctrl-C. */

interface Flags {
  readonly port: number;
  readonly consolePort: number;
  readonly operatorsPort: number;
  readonly data?: string;
  readonly instances?: number;
  readonly verbose?: true;
}

const LOG_POLL_INTERVAL_MS = 200;

function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

const command = new Command('npm start --')
  .description('Run the whole service on this machine, from the templates of the CDK app.')
  .option('--port <number>', 'port of the API; 0 selects a free port', wholeNumber(0, 65_535), 3000)
  .option(
    '--console-port <number>',
    'port of the account console; 0 selects a free port',
    wholeNumber(0, 65_535),
    3001,
  )
  .option(
    '--operators-port <number>',
    'port of the API for operators; 0 selects a free port',
    wholeNumber(0, 65_535),
    0,
  )
  .option('--data <directory>', 'keep tables, secrets and the demo organisation in this directory')
  .option(
    '--instances <number>',
    'maximum number of processes of each function; the sandbox registry may have 4 times as many (default: 4)',
    wholeNumber(1, 64),
  )
  .option('--verbose', 'print the logs of the functions')
  .parse();

const { port, consolePort, operatorsPort, data, instances, verbose } = command.opts<Flags>();
process.stdout.write('Starting DynamoDB Local and synthesising the CDK app. This takes a few seconds ...\n');
const startedAtMs = performance.now();
const service = startLocalService({
  port,
  consolePort,
  operatorsPort,
  demoTraffic: true,
  ...(data !== undefined && { dataDirectory: data }),
  ...(instances !== undefined && { instances }),
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());

try {
  const running = await service;
  process.stdout.write(welcome(running, (performance.now() - startedAtMs) / 1000));
  if (verbose) printAppendedLines(running.logFile);
} catch (error) {
  process.stderr.write(
    `The service did not start. ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}

async function stop(): Promise<void> {
  process.stdout.write('\nStopping the functions and the database ...\n');
  await service.then((running) => running.stop()).catch(() => {});
  process.exit();
}

/** Prints what is appended to a file, like `tail -f`. */
function printAppendedLines(file: string): void {
  let position = statSync(file).size;
  watchFile(file, { interval: LOG_POLL_INTERVAL_MS }, ({ size }) => {
    if (size <= position) return;
    createReadStream(file, { start: position, end: size - 1 }).pipe(process.stdout, { end: false });
    position = size;
  });
}

/** Returns the text about the console. Pads the email addresses, so that the roles form a column. */
function consoleText({ url, members, mailDirectory }: ConsoleDescription): string {
  const width = Math.max(...members.map(({ email }) => email.length));
  const lines = members.map(({ email, role }) => `  ${email.padEnd(width)}  ${role}`);
  return `The account console is at ${url}

Sign in as a member of the demo organisation, without a password. Others sign up, and get one by email:

${lines.join('\n')}

The emails of the console are in ${relative(process.cwd(), mailDirectory)}.
`;
}

function welcome(service: LocalService, seconds: number): string {
  const { baseUrl, logFile, credentials, payments, console: account } = service;
  const files = relative(process.cwd(), dirname(logFile));
  const note =
    basename(files) === '.local'
      ? ''
      : `Admin:      LOCAL_SERVICE_FILE=${files}/service.json npm run admin -- --local (without the variable, it administers the service that was started first)\n`;
  const { http_proxy, all_proxy, ALL_PROXY } = process.env;
  // curl also sends requests to this machine to a proxy.
  const proxyOption = (http_proxy ?? all_proxy ?? ALL_PROXY) ? " --noproxy '*'" : '';
  const body = JSON.stringify({ id_number: numberFormat('NIN').example });
  return `
The service is ready at ${baseUrl} (started in ${seconds.toFixed(1)} s).
${account ? consoleText(account) : ''}
Paste this request into another terminal:

  curl -i${proxyOption} ${baseUrl}/api/v1/ng/nin-basic/ \\
    -H 'Authorization: Bearer ${credentials?.live.apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '${body}'

The response has status 200, the header X-Credits-Charged: 1, and the record of an invented person:

  { "success": true, "code": "NIN_VERIFIED", "message": "...", "verification_type": "NIN",
    "summary": { "verified": true, "verification_type": "NIN", "provider": "Sandbox", "confidence_score": 1.0 },
    "data": { "nin": "...", "firstname": "...", "lastname": "...", "middlename": "...", "phone": "...",
              "gender": "m", "birthdate": "DD-MM-YYYY", "photo": "<Base64>",
              "residence": { "address1": "...", "town": "...", "lga": "...", "state": "..." } },
    "meta": { "request_id": "req_...", "timestamp": "..." } }

${note}API keys:   ${files}/credentials.json (a live key and a test key of the demo organisation)
Logs:       ${relative(process.cwd(), logFile)} (pass --verbose to print them here)
Traffic:    the console shows invented requests of the past weeks. docs/finance/close.md closes the previous month
${payments ? `Payments:   ${payments.url} (test double for Paystack; no money moves. infra/local/README.md explains its control API)\n` : ''}Documents:  ${baseUrl}/docs (guides and a reference; the first visit builds them, which can take half a minute)

Press Ctrl-C to stop.
`;
}
