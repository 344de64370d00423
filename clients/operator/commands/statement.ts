import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import type { Environment } from '../../../shared/core/environment.ts';
import { checkFormat, environmentOption, organisationArgument, parseTime, UsageError } from '../arguments.ts';
import { commandContext } from '../command-context.ts';
import { formatStatement, STATEMENT_FORMATS, type StatementFormat } from '../format-statement.ts';

interface StatementOptions {
  readonly env: Environment;
  readonly from?: string;
  readonly to?: string;
  readonly format: StatementFormat;
}

/** Adds `wallet statement`. */
export function statementCommand(group: Command): void {
  group
    .command('statement')
    .description('List all credits and debits of a period, each with the balance after it')
    .addArgument(organisationArgument())
    .option(
      '--from <time>',
      'start of the period, inclusive, for example 2026-11-01, which is midnight UTC (default: start of the month of --to)',
      parseTime,
    )
    .option(
      '--to <time>',
      'end of the period, exclusive, for example 2026-12-01 (default and latest: now)',
      parseTime,
    )
    .addOption(environmentOption('wallet to list').default('live'))
    .addOption(new Option('--format <format>', 'output format').choices(STATEMENT_FORMATS).default('table'))
    .action(async (organisation: string, options: StatementOptions, command: Command) => {
      const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true;
      checkFormat(options.format, isJson);
      const { operator, clock } = await commandContext(command);
      const { env } = options;
      // The request also reads AWS's clock, on which the times of the lines are based.
      await operator.getOrganisation(organisation);
      const now = new Date(clock.nowMs()).toISOString();
      const to = options.to !== undefined && options.to < now ? options.to : now;
      const from = options.from ?? `${to.slice(0, 7)}-01T00:00:00.000Z`;
      if (from > to) throw new UsageError('`--from` must not be later than `--to` or in the future.');
      const statement = await operator.statement({ env, organisationId: organisation }, { from, to });
      const format = isJson ? 'json' : options.format;
      const chunks = formatStatement({ organisation, env, from, to, ...statement }, format);
      // Streamed, because a month may have a million lines.
      await pipeline(Readable.from(chunks), process.stdout, { end: false });
    });
}
