import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import { STAGES, type Stage } from '../../../infra/config.ts';
import { printable } from '../../../shared/core/printable-text.ts';
import { accessStage } from '../aws-profile.ts';
import { FIRST_RUN_CHECKS } from './checks.ts';
import { type FirstRun, type FirstRunRow, formatReport, runCheck } from './run-checks.ts';

const MINUTE_MS = 60_000;

const DESCRIPTION = `Do on a real account what has only been emulated, and write a report with the evidence.

It deploys the stage, creates an organisation with a test key, sends requests, fires an alarm, restores the
tables next to those in use, and asks what you see in the console and the mailbox. Use staging: the rows stay.`;

interface Options {
  readonly stage: Stage;
  readonly url?: string;
  readonly provider?: string;
  readonly idType?: string;
  readonly email?: string;
  readonly cdk?: string;
  readonly emulator?: boolean;
  readonly report?: string;
}

/** Builds the `first-real-run` CLI. See docs/operate/first-account.md. */
export function firstRunProgram(): Command {
  return new Command('first-real-run')
    .description(DESCRIPTION)
    .addOption(
      new Option('--stage <stage>', 'the stage. The AWS profile must belong to its account')
        .choices(STAGES.filter((stage) => stage !== 'local'))
        .makeOptionMandatory(),
    )
    .option('--url <url>', 'the address of the API', parseUrl)
    .option('--provider <provider>', 'the registry provider whose test numbers to look up', parseWord)
    .option('--id-type <type>', 'the ID type of these numbers', parseWord)
    .option('--email <address>', 'your address, for an invitation to the console', parseEmail)
    .option('--cdk <command>', 'the CDK CLI with its options')
    .option('--emulator', 'leave out what needs AWS itself, and use the local service for the API')
    .option('--report <file>', 'the report. Default: .local/first-real-run-<stage>.md')
    .addHelpText(
      'after',
      '\nExit codes:\n  0  no check failed\n  1  a check failed, or the command line is wrong',
    )
    .action(firstRun);
}

async function firstRun(options: Options): Promise<void> {
  const { stage, emulator: isEmulated = false, report = `.local/first-real-run-${stage}.md` } = options;
  const { account, region } = await accessStage(stage);
  const startedAt = new Date();
  const optional = {
    URL: options.url,
    PROVIDER: options.provider,
    ID_TYPE: options.idType,
    EMAIL: options.email,
  };
  const variables = {
    ...process.env,
    ...optional,
    ...{ STAGE: stage, ACCOUNT: account, REGION: region, AWS_REGION: region },
    ADMIN: `npm run -s admin -- ${isEmulated ? '--local' : `--stage ${stage}`} --json`,
    CDK: options.cdk ?? `npx cdk -c stage=${stage}`,
    TODAY: startedAt.toISOString().slice(0, 10),
  };
  const rows: FirstRunRow[] = [];
  const title = `First real run of ${stage}, ${isEmulated ? 'on an emulator' : account}, ${startedAt.toISOString()}`;
  mkdirSync(dirname(report), { recursive: true });
  for (const check of FIRST_RUN_CHECKS) {
    // Point-in-time recovery does not cover the last five minutes.
    const EARLIER = new Date(Date.now() - (isEmulated ? 0 : 6 * MINUTE_MS)).toISOString();
    const run: FirstRun = { variables: Object.assign(variables, { EARLIER }), isEmulated, ask };
    const row = await runCheck(check, run);
    rows.push(row);
    process.stdout.write(`${row.state.padEnd(18)}  ${printable(check.name)}\n`);
    // After each check, in case the run is interrupted.
    writeFileSync(report, formatReport(title, rows), { mode: 0o600 });
  }
  process.stdout.write(`${report}\n`);
  if (rows.some(({ state }) => state === 'failed')) process.exitCode = 1;
}

async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) return '';
  const dialogue = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await dialogue.question(`${question}\nYour evidence, or nothing if you did not check it: `);
  dialogue.close();
  return answer.trim();
}

/** The values become variables of a shell. */
function matching(pattern: RegExp, problem: string) {
  return (text: string): string => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(problem);
  };
}
const parseUrl = matching(
  /^https?:\/\/[\w.:-]+$/,
  'Use an address without a path, for example https://api.example.com.',
);
const parseWord = matching(/^\w+$/, 'Use a name, for example prembly.');
const parseEmail = matching(/^[\w.+-]+@[\w.-]+$/, 'Use an email address.');
