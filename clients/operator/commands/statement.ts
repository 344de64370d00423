import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import { environmentOption, organisationArgument, parseTime } from '../arguments.ts';
import { openSession } from '../command-context.ts';
import { UsageError } from '../confirm.ts';
import { STATEMENT_FORMATS, type StatementFormat, statementText } from '../format-statement.ts';

interface StatementOptions {
  readonly env: Environment;
  readonly from?: string;
  readonly to?: string;
  readonly format: StatementFormat;
}

/** `wallet statement`: what finance sends to a customer and closes a month with. */
export function statementCommand(group: Command): void {
  group
    .command('statement')
    .description('every credit and debit with the balance after it; from the start of this month until now')
    .addArgument(organisationArgument())
    .option('--from <time>', 'first instant, for example 2026-11-01 (midnight UTC)', parseTime)
    .option('--to <time>', 'first instant that is left out, for example 2026-12-01', parseTime)
    .addOption(environmentOption('which wallet').default('live'))
    .addOption(new Option('--format <format>', 'how to print it').choices(STATEMENT_FORMATS).default('table'))
    .action(async (organisation: string, options: StatementOptions, command: Command) => {
      const { operator } = await openSession(command);
      const { env } = options;
      const now = new Date().toISOString();
      const to = options.to !== undefined && options.to < now ? options.to : now;
      const from = options.from ?? `${to.slice(0, 7)}-01T00:00:00.000Z`;
      if (from > to) throw new UsageError('--from must not be later than --to, nor than now.');
      const statement = await operator.statement({ env, organisationId: organisation }, { from, to });
      const format = command.optsWithGlobals<{ json?: boolean }>().json ? 'json' : options.format;
      const chunks = statementText({ organisation, env, from, to, ...statement }, format);
      // As it is read: a month may have a million lines.
      await pipeline(Readable.from(chunks), process.stdout, { end: false });
    });
}
