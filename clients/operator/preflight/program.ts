import { Command, CommanderError, Option } from 'commander';
import { STAGES, type Stage, type StageConfig } from '../../../infra/config.ts';
import { checkPin } from '../../../infra/stages/pin.ts';
import { stageConfig } from '../../../infra/stages/read-config.ts';
import { printable, printableJson } from '../../../shared/core/printable-text.ts';
import { accessStage, credentialsAdvice, type StageAccess } from '../aws-profile.ts';
import { isClosedPipe } from '../closed-pipe.ts';
import { CallError, describe, failedCall } from './aws-call.ts';
import { checkBootstrap } from './bootstrap.ts';
import { checkConsoleMail } from './console-mail.ts';
import { type Dns, machineDns } from './dns.ts';
import { checkCertificates, checkRecords } from './domain.ts';
import { checkGatewayRole } from './gateway-role.ts';
import { checkHostedZones } from './hosted-zone.ts';
import { checkIdentityProvider } from './identity-provider.ts';
import { checkIndexes } from './indexes.ts';
import { checkAlarms } from './notifications.ts';
import { checkOrphans } from './orphans.ts';
import { checkPayments } from './payments.ts';
import { checkProviders } from './providers.ts';
import { checkConcurrency, checkGatewayThrottle } from './quotas.ts';
import { fault, formatRows, ok, type Row } from './rows.ts';
import { checkStacks, stacksOf } from './stacks.ts';
import { checkTestKey } from './test-key.ts';
import type { World } from './world.ts';

export interface Surroundings {
  readonly configOf?: (stage: Stage) => StageConfig;
  readonly dns?: Dns;
  /** @default the tables that the code defines */
  readonly tables?: World['tables'];
  /** In epoch milliseconds. @default the clock of this machine */
  readonly nowMs?: number;
  /** The width of the table in columns. @default the width of the terminal */
  readonly width?: number;
}

interface Options {
  readonly stage: Stage;
  readonly requestQuota?: boolean;
  readonly deleteOrphans?: boolean;
  readonly json?: boolean;
}

type Check = (world: World) => Promise<Row[]>;

/** All checks except that of the account, in the order of the table. The name is shown if the check fails to run. */
const CHECKS: readonly (readonly [string, Check])[] = [
  ['bootstrap', checkBootstrap],
  ['lambda quota', checkConcurrency],
  ['gateway quota', checkGatewayThrottle],
  ['gateway role', checkGatewayRole],
  ['hosted zone', checkHostedZones],
  ['certificate', checkCertificates],
  ['identity provider', checkIdentityProvider],
  ['stacks', checkStacks],
  ['orphans', checkOrphans],
  ['indexes', checkIndexes],
  ['providers', checkProviders],
  ['test key', checkTestKey],
  ['payments', checkPayments],
  ['console mail', checkConsoleMail],
  ['alarms', checkAlarms],
  ['dns', checkRecords],
];

const DESCRIPTION = `Check the AWS account before and after a deployment of a stage. Prints what is missing or wrong, and the commands that fix it.

Changes nothing, except that --request-quota asks AWS for a higher quota, and --delete-orphans deletes empty tables.`;

const EXIT_CODES = `
Exit codes:
  0  there are no findings
  1  there are findings; the table shows them and what to do
  2  the command line is wrong; nothing was checked`;

/** Runs the preflight. Returns the exit code of the process. */
export async function run(args: readonly string[], surroundings: Surroundings = {}): Promise<0 | 1 | 2> {
  let code: 0 | 1 = 0;
  const program = buildProgram(async (options) => {
    const rows = await preflight(options, surroundings);
    const width = surroundings.width ?? process.stdout.columns ?? Number.POSITIVE_INFINITY;
    const text = formatRows(rows, width).split('\n').map(printable).join('\n');
    process.stdout.write(`${options.json ? printableJson(rows) : text}\n`);
    code = rows.some(({ state }) => state === 'finding') ? 1 : 0;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has already printed the message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isClosedPipe(error)) throw error;
  }
  return code;
}

export function buildProgram(action: (options: Options) => Promise<void>): Command {
  return new Command('preflight')
    .description(DESCRIPTION)
    .exitOverride()
    .showHelpAfterError('Run the command with --help to see how to use it.')
    .addOption(
      new Option('--stage <stage>', 'check this stage. The AWS profile must belong to its account')
        .choices(STAGES.filter((stage) => stage !== 'local'))
        .makeOptionMandatory(),
    )
    .option('--request-quota', 'request an increase for each quota that is too low, unless a request is open')
    .option(
      '--delete-orphans',
      'delete what a failed first deployment of the data stack has left, if all of it is empty',
    )
    .option('--json', 'print the rows as one JSON value')
    .addHelpText('after', EXIT_CODES)
    .action(action);
}

async function tablesOfCode() {
  const { tableTemplate } = await import('../../../infra/constructs/data/table-template.ts');
  return tableTemplate();
}

async function preflight(
  { stage, requestQuota = false, deleteOrphans = false }: Options,
  { configOf = stageConfig, dns = machineDns(), tables = tablesOfCode, nowMs = Date.now() }: Surroundings,
): Promise<Row[]> {
  const config = configOf(stage);
  const access = await accessOf(config);
  if ('finding' in access) return [access];
  const { account, region } = access;
  const stacks = stacksOf(stage, region);
  const world = { config, account, region, stacks, dns, tables, nowMs, requestQuota, deleteOrphans };
  const rows = await Promise.all(CHECKS.map(([name, check]) => rowsOf(name, check, world)));
  return [ok('account', `${account} in ${region}, as ${access.callerArn}.`), ...rows.flat()];
}

async function accessOf(config: StageConfig): Promise<StageAccess | Row> {
  try {
    checkPin(config);
    return await accessStage(config.stage, config);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const isOurs = error.name === 'Error' && !('code' in error);
    const text = credentialsAdvice(error) ?? (isOurs ? error.message : describe(error));
    return fault(
      'account',
      `${text.replace(/ Nothing was read or changed\.$/, '')} Nothing else was checked.`,
      '# Your profiles, and the account and region of the current one:',
      'aws configure list-profiles',
      'aws sts get-caller-identity',
      'aws configure get region',
    );
  }
}

/** A check that fails becomes a finding, and the others continue. */
async function rowsOf(name: string, check: Check, world: World): Promise<Row[]> {
  try {
    return await check(world);
  } catch (error) {
    if (error instanceof CallError) return [failedCall(name, error, world.config.stage)];
    const reason = error instanceof Error ? describe(error) : String(error);
    return [fault(name, `Not checked. ${reason}`)];
  }
}
