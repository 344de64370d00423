import { Command, CommanderError, Option } from 'commander';
import { STAGES } from '../../infra/config.ts';
import { UsageError } from './arguments.ts';
import { credentialsAdvice } from './aws-profile.ts';
import { isClosedPipe } from './closed-pipe.ts';
import { approvalCommands } from './commands/approvals.ts';
import { auditCommand } from './commands/audit.ts';
import { billingCommands } from './commands/billing.ts';
import { creditNoteCommands } from './commands/credit-notes.ts';
import { invoiceCommands } from './commands/invoices.ts';
import { keyCommands } from './commands/keys.ts';
import { memberCommands } from './commands/members.ts';
import { monthCommands } from './commands/months.ts';
import { orderCommands } from './commands/orders.ts';
import { organisationCommands } from './commands/organisations.ts';
import { priceCommands } from './commands/prices.ts';
import { privacyCommands } from './commands/privacy.ts';
import { reconcileCommand } from './commands/reconcile.ts';
import { registryCommands } from './commands/registries.ts';
import { reportCommands } from './commands/reports.ts';
import { serviceCommands } from './commands/services.ts';
import { slipCommands } from './commands/slips.ts';
import { walletCommands } from './commands/wallets.ts';
import { paragraph } from './output.ts';

/** Each function adds a command or a group of commands to the program. */
const GROUPS = [
  organisationCommands,
  memberCommands,
  serviceCommands,
  keyCommands,
  walletCommands,
  priceCommands,
  billingCommands,
  orderCommands,
  invoiceCommands,
  creditNoteCommands,
  monthCommands,
  reportCommands,
  registryCommands,
  privacyCommands,
  slipCommands,
  approvalCommands,
  auditCommand,
  reconcileCommand,
];

const DESCRIPTION = `Administer a deployment of the identity verification service: organisations, services, API keys, wallets, payments and registries.

Every command needs either --local or --stage.`;

const EXAMPLES = `
Examples:
  $ npm run admin -- --local org list
  $ npm run admin -- --stage prod wallet balance kBDG57GjU9
  $ npm run admin -- key create --help`;

const EXIT_CODES = `
Exit codes:
  0  the command succeeded
  1  the command failed; stderr gives the reason
  2  the command line is wrong, or confirmation is needed and there is no
     terminal; nothing was changed`;

const MAX_ERROR_LENGTH = 500;

/**
 * The names of DynamoDB, Secrets Manager and CloudFormation errors for calls that the caller's policies do not allow.
 */
const DENIED: ReadonlySet<string> = new Set(['AccessDeniedException', 'AccessDenied']);
const ROLE_HINT = 'Assume a role that may run this command (docs/operate/admin/roles.md).';

/** Runs one command. Returns the exit code of the process. */
export async function run(args: readonly string[]): Promise<0 | 1 | 2> {
  try {
    await buildProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (isClosedPipe(error)) return 0;
    writeError(`${errorMessage(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Builds the program with all of its commands. */
export function buildProgram(): Command {
  const program = new Command('admin')
    .description(DESCRIPTION)
    .exitOverride()
    .configureOutput({ writeErr: writeError })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Run the command with --help to see how to use it.')
    .addOption(
      new Option('--stage <stage>', 'work on this stage. The AWS profile must belong to its account')
        .choices(STAGES.filter((stage) => stage !== 'local'))
        .conflicts('local'),
    )
    .option('--local', 'work on the local service that `npm start` runs')
    .option('--json', 'print the result as one JSON value')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', EXAMPLES)
    .addHelpText('afterAll', EXIT_CODES);
  for (const addGroup of GROUPS) addGroup(program);
  return program;
}

/** Writes to stderr. In a terminal, wraps the lines. The text may quote mistyped arguments, so API keys are masked. */
function writeError(text: string): void {
  const masked = text.replaceAll(/idv_(live|test)_[0-9A-Za-z]+/g, 'idv_$1_...');
  const width = process.stderr.columns ?? Number.POSITIVE_INFINITY;
  const lines = masked.split('\n').map((line) => paragraph(line, width));
  process.stderr.write(lines.join('\n'));
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Describes an error to the operator in one line. */
function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return 'The command failed for an unknown reason.';
  if (errorCode(error) === 'ECONNREFUSED')
    return 'The connection was refused. If you use `--local`, check that the service is running (`npm start`).';
  const advice = credentialsAdvice(error);
  if (advice) return advice;
  const [first = ''] = error.message.split('\n');
  const message = first.slice(0, MAX_ERROR_LENGTH) || error.name;
  return DENIED.has(error.name) ? `${message}. ${ROLE_HINT}` : message;
}
