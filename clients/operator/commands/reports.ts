import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { monthEndMs, monthStartMs } from '../../../shared/core/accounting-month.ts';
import type { Environment } from '../../../shared/core/environment.ts';
import { EXPORT_FILE_NAMES, type ExportFile } from '../../../shared/payments/reports/export-columns.ts';
import {
  MONTH_REPORT_NAMES,
  MONTH_REPORTS,
  type MonthReportName,
} from '../../../shared/payments/reports/month-reports.ts';
import { environmentOption, parseTime, UsageError } from '../arguments.ts';
import { commandContext } from '../command-context.ts';
import { monthArgument, parseMonth } from '../money-arguments.ts';
import { counted } from '../output.ts';
import { accountsOf, headingOf, printReport, type ReportOptions, withFormat } from '../print-report.ts';
import { providerReportCommand } from './provider-reports.ts';

interface ExportOptions {
  readonly month?: string;
  readonly from?: string;
  readonly to?: string;
  readonly env?: Environment;
  readonly out: string;
}

/** Adds `report ...`. */
export function reportCommands(program: Command): void {
  const group = program.command('report').description('Report on closed months, and export the accounts');
  showCommand(group);
  providerReportCommand(group);
  exportCommand(group);
}

function showCommand(group: Command): void {
  const show = group.command('show').description('Show a report on all customers for one month');
  show.argument('<report>', `one of: ${MONTH_REPORT_NAMES.join(', ')}`, parseReport);
  show.addArgument(monthArgument());
  show.addOption(environmentOption('wallets to report on').default('live'));
  withFormat(show).action(
    async (name: MonthReportName, month: string, options: ReportOptions, command: Command) => {
      const context = await commandContext(command);
      const months = await accountsOf(month, options.env, context);
      printReport(MONTH_REPORTS[name](months), headingOf(name, months, month, options.env), options, command);
    },
  );
}

function parseReport(text: string): MonthReportName {
  const name = MONTH_REPORT_NAMES.find((known) => known === text);
  if (name) return name;
  throw new InvalidArgumentError(`It must be one of: ${MONTH_REPORT_NAMES.join(', ')}.`);
}

function exportCommand(group: Command): void {
  group
    .command('export')
    .description(
      'Export organisations, wallets, credits, charges, lots, orders, documents and closings as CSV',
    )
    .option('--month <month>', 'credits and charges of this month in Lagos, for example 2026-11', parseMonth)
    .option('--from <time>', 'credits and charges from this time on (default: the first)', parseTime)
    .option('--to <time>', 'credits and charges before this time (default and latest: now)', parseTime)
    .addOption(environmentOption('only these wallets'))
    .requiredOption('--out <folder>', 'new or empty folder for the files')
    .action(async (options: ExportOptions, command: Command) => {
      const { operator, clock, print, progress } = await commandContext(command);
      // The result is not used: any response provides AWS's time, which the range needs.
      await operator.listOrganisations();
      const range = { ...rangeOf(options, clock.nowMs()), env: options.env };
      const rows = await writeFiles(options.out, operator.exportAccounts(range), progress);
      const lines = EXPORT_FILE_NAMES.map((file) => `${file}.csv: ${counted(rows[file] ?? 0, 'row')}`);
      print({ folder: options.out, ...range, rows }, lines.join('\n'));
    });
}

function rangeOf({ month, from, to }: ExportOptions, nowMs: number): { from: string; to: string } {
  if (month !== undefined && (from ?? to) !== undefined)
    throw new UsageError('`--month` cannot be used together with `--from` or `--to`.');
  const now = new Date(nowMs).toISOString();
  const first = month === undefined ? from : new Date(monthStartMs(month)).toISOString();
  const end = month === undefined ? to : new Date(monthEndMs(month)).toISOString();
  const range = { from: first ?? '2020-01-01T00:00:00.000Z', to: end !== undefined && end < now ? end : now };
  if (range.from > range.to)
    throw new UsageError('The export must not begin in the future or after its end.');
  return range;
}

/** Writes the files of an export. Returns the number of rows of each. */
async function writeFiles(
  folder: string,
  chunks: AsyncIterable<{ readonly file: ExportFile; readonly text: string }>,
  progress: (text: string) => void,
): Promise<Partial<Record<ExportFile, number>>> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length > 0)
    throw new UsageError(
      `The folder ${folder} is not empty. Name a new folder, so that no file is replaced.`,
    );
  const open = new Map(
    EXPORT_FILE_NAMES.map((file) => [file, openSync(join(folder, `${file}.csv`), 'wx', 0o600)]),
  );
  const rows: Partial<Record<ExportFile, number>> = {};
  let wallets = 0;
  try {
    for await (const { file, text } of chunks) {
      writeSync(open.get(file) ?? -1, text);
      // The first chunk of each file is its header.
      rows[file] = rows[file] === undefined ? 0 : rows[file] + text.split('\r\n').length - 1;
      if (file === 'wallets' && ++wallets % 500 === 0) progress(`Exported ${counted(wallets, 'wallet')}.`);
    }
  } finally {
    for (const descriptor of open.values()) closeSync(descriptor);
  }
  return rows;
}
