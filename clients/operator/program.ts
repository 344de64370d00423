import { Command, CommanderError, Option } from 'commander';
import { STAGES } from '../../infra/config.ts';
import { keyCommands } from './commands/keys.ts';
import { organisationCommands } from './commands/organisations.ts';
import { privacyCommands } from './commands/privacy.ts';
import { reconcileCommand } from './commands/reconcile.ts';
import { registryCommands } from './commands/registries.ts';
import { serviceCommands } from './commands/services.ts';
import { walletCommands } from './commands/wallets.ts';
import { UsageError } from './confirm.ts';

/** One group of commands a file: a new one is a line here. */
const GROUPS = [
  organisationCommands,
  serviceCommands,
  keyCommands,
  walletCommands,
  registryCommands,
  privacyCommands,
  reconcileCommand,
];

const EXIT_CODES = `
Exit codes: 0 done; 1 refused or failed, with one sentence on stderr; 2 wrong usage, or nobody there to confirm.`;

const LONGEST_SENTENCE = 500;

/** Runs one command; returns the exit code of the process. */
export async function run(args: readonly string[]): Promise<0 | 1 | 2> {
  try {
    await buildProgram().parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // The parser has said already what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    complain(`${sentenceOf(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function buildProgram(): Command {
  const program = new Command('admin')
    .description("The operator's command line: organisations, services, API keys, wallets and erasures.")
    .exitOverride()
    .configureOutput({ writeErr: complain })
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help tells more)')
    .addOption(
      new Option('--stage <stage>', 'the service of this stage, in the account and region of the AWS profile')
        .choices(STAGES.filter((stage) => stage !== 'local'))
        .conflicts('local'),
    )
    .option('--local', 'the running local service (npm start)')
    .option('--json', 'print JSON, for scripts')
    .option('--yes', 'do not ask before what cannot be undone')
    .addHelpText('afterAll', EXIT_CODES);
  for (const addGroup of GROUPS) addGroup(program);
  return program;
}

/** Writes to stderr, where a mistyped command may quote its arguments: never an API key. */
function complain(text: string): void {
  process.stderr.write(text.replaceAll(/idv_(live|test)_[0-9A-Za-z]+/g, 'idv_$1_...'));
}

/** An error as one line for the operator. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It failed without a word.';
  if ('code' in error && error.code === 'ECONNREFUSED') return 'The service does not answer. Is it running?';
  const [sentence = ''] = error.message.split('\n');
  return sentence.slice(0, LONGEST_SENTENCE) || error.name;
}
