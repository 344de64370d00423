import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import {
  PROVIDER_REPORT_NAMES,
  PROVIDER_REPORTS,
  type ProviderReportName,
} from '../../../shared/payments/reports/month-reports.ts';
import { type ProviderPrices, providerPrices } from '../../../shared/payments/reports/provider-cost.ts';
import { LIVE_PROVIDER_NAMES } from '../../../shared/registries/providers/catalogue.ts';
import { UsageError } from '../arguments.ts';
import { commandContext } from '../command-context.ts';
import { monthArgument, parseNaira } from '../money-arguments.ts';
import { accountsOf, headingOf, printReport, type ReportOptions, withFormat } from '../print-report.ts';

interface ProviderOptions extends Omit<ReportOptions, 'env'> {
  readonly prices: string;
  readonly bill?: Readonly<Record<string, number>>;
}

/** Adds `report providers`: the cost of calls to providers, compared with their bills or the revenue. */
export function providerReportCommand(group: Command): void {
  const command = group
    .command('providers')
    .description(
      "Compare the calls to providers in one month with the providers' bills, or with the revenue",
    );
  command.argument('<report>', `one of: ${PROVIDER_REPORT_NAMES.join(', ')}`, parseReport);
  command.addArgument(monthArgument());
  command.requiredOption('--prices <file>', 'JSON file with the price of a call, by provider and service');
  command.option(
    '--bill <bill>',
    "total of a provider's bill in naira: prembly=120000.50 (repeatable)",
    addBill,
  );
  withFormat(command).action(
    async (
      name: ProviderReportName,
      month: string,
      { prices, bill, ...rest }: ProviderOptions,
      self: Command,
    ) => {
      const context = await commandContext(self);
      const facts = {
        month,
        prices: readPrices(prices),
        bills: bill ?? {},
        calls: await context.operator.providerCalls(month),
        months: await accountsOf(month, 'live', context),
      };
      const report = PROVIDER_REPORTS[name](facts);
      printReport(report, headingOf(name, facts.months, month, 'live'), { ...rest, env: 'live' }, self);
    },
  );
}

function parseReport(text: string): ProviderReportName {
  const name = PROVIDER_REPORT_NAMES.find((known) => known === text);
  if (name) return name;
  throw new InvalidArgumentError(`It must be one of: ${PROVIDER_REPORT_NAMES.join(', ')}.`);
}

/** Adds the total of a bill, in kobo, to those from earlier options. */
function addBill(text: string, previous: Readonly<Record<string, number>> = {}) {
  const [, provider = '', amount = ''] = /^([a-z]+)=(.+)$/.exec(text) ?? [];
  if (!LIVE_PROVIDER_NAMES.some((known) => known === provider))
    throw new InvalidArgumentError(
      `A bill has the form prembly=120000.50. Providers: ${LIVE_PROVIDER_NAMES.join(', ')}.`,
    );
  return { ...previous, [provider]: parseNaira(amount) };
}

const FORM = '{"prembly": {"koboPerCall": {"nin-basic": 5000, "*": 9000}, "billed": ["FOUND", "NOT_FOUND"]}}';

function readPrices(file: string): ProviderPrices {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(
      `The file ${file} cannot be read as JSON: ${error instanceof Error ? error.message : ''}`,
    );
  }
  const parsed = v.safeParse(providerPrices, content);
  if (parsed.success) return parsed.output;
  const where = v.getDotPath(parsed.issues[0]) ?? 'the file';
  throw new UsageError(`${file}: ${where} is not valid. Use this form, with prices in kobo: ${FORM}`);
}
