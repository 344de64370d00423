import { type Command, Option } from 'commander';
import type { Environment } from '../../shared/core/environment.ts';
import type { Operator } from '../../shared/operators/operator.ts';
import type { Report } from '../../shared/payments/reports/report.ts';
import { figuresOf, type WalletMonth } from '../../shared/payments/reports/wallet-month.ts';
import { checkFormat } from './arguments.ts';
import { formatReport, REPORT_FORMATS, type ReportFormat } from './format-report.ts';
import { counted } from './output.ts';
import { writeNewFile } from './write-new-file.ts';

export interface ReportOptions {
  readonly env: Environment;
  readonly format: ReportFormat;
  readonly out?: string;
}

export function withFormat(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'output format').choices(REPORT_FORMATS).default('table'))
    .option('--out <file>', 'write to this new file instead of the terminal');
}

export interface ReportContext {
  readonly operator: Pick<Operator, 'accountsOfMonth'>;
  progress(text: string): void;
}

/** Shows the progress in a terminal. */
export function accountsOf(month: string, env: Environment, context: ReportContext): Promise<WalletMonth[]> {
  return context.operator.accountsOfMonth(month, env, (done, all) => {
    if (done % 500 === 0) context.progress(`Read ${done} of ${counted(all, 'wallet')}.`);
  });
}

/** The subject, and how many wallets are missing. */
export function headingOf(name: string, months: readonly WalletMonth[], month: string, env: Environment) {
  const open = months.filter((one) => figuresOf(one) === undefined).length;
  const note =
    open === 0 ? 'All wallets are closed.' : `${open} of ${counted(months.length, 'wallet')} not closed.`;
  return `Report ${name}, ${month} in Lagos, ${env}. ${note}`;
}

/** Or writes it to a new file. */
export function printReport(report: Report, heading: string, options: ReportOptions, command: Command): void {
  const isJson = command.optsWithGlobals<{ json?: boolean }>().json === true;
  checkFormat(options.format, isJson);
  const text = formatReport(report, heading, isJson ? 'json' : options.format);
  if (options.out === undefined) {
    process.stdout.write(text);
    return;
  }
  writeNewFile(options.out, text);
  // A CSV file has no heading.
  process.stderr.write(`${heading}\nThe report was written to ${options.out}.\n`);
}
