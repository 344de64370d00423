import type { Command } from 'commander';
import { needsSecondPerson } from '../../../shared/operators/needs-second-person.ts';
import type { PriceChange, PriceLists } from '../../../shared/operators/operations/prices.ts';
import type { Operator } from '../../../shared/operators/operator.ts';
import type { CreditPrice } from '../../../shared/payments/prices/price.ts';
import { parseOrganisationId, parseReason, parseTime } from '../arguments.ts';
import { changeContext, commandContext } from '../command-context.ts';
import { creditPriceArgument, naira } from '../money-arguments.ts';
import { paragraph, table, time } from '../output.ts';

interface PriceOptions {
  readonly org?: string;
  readonly from?: string;
  readonly reason: string;
}

const FROM_HELP =
  'when the price begins to apply, for example 2026-12-01T00:00+01:00, which is midnight in Lagos; not in the past (default: now)';

/** Adds `price ...`: the price of one credit, in naira. */
export function priceCommands(program: Command): void {
  const group = program.command('price').description('Manage the price of credits in naira');
  group
    .command('set')
    .description('Set the price of one credit for new orders; earlier orders keep their price')
    .addArgument(creditPriceArgument())
    .option(
      '--org <org>',
      'only for this organisation (default: for all without a price of their own)',
      parseOrganisationId,
    )
    .option('--from <time>', FROM_HELP, parseTime)
    .requiredOption('--reason <text>', 'reason, shown in the price list', parseReason)
    .action((koboPerCredit: number, { org, from, reason }: PriceOptions, command: Command) =>
      changePrice({ organisationId: org, koboPerCredit, from, reason }, command),
    );
  group
    .command('end')
    .description("End an organisation's own price, so that the price of the stage applies again")
    .requiredOption('--org <org>', 'organisation ID, as printed by `org list`', parseOrganisationId)
    .option('--from <time>', FROM_HELP, parseTime)
    .requiredOption('--reason <text>', 'reason, shown in the price list', parseReason)
    .action(({ org, from, reason }: PriceOptions, command: Command) =>
      changePrice({ organisationId: org, koboPerCredit: null, from, reason }, command),
    );
  group
    .command('list')
    .description('List the prices of one credit, with their authors and reasons, newest first')
    .option('--org <org>', "also the organisation's own prices", parseOrganisationId)
    .action(async ({ org }: { org?: string }, command: Command) => {
      const { operator, print } = await commandContext(command);
      const lists = await operator.priceLists(org);
      print(priceListView(org, lists), priceListText(org, lists));
    });
}

async function changePrice(change: PriceChange, command: Command): Promise<void> {
  const context = await changeContext(command);
  const { operator, deployment, changeOrRequest, confirm, print } = context;
  await operator.checkPriceChange(change);
  const order = {
    work: 'price',
    koboPerCredit: change.koboPerCredit,
    from: change.from,
    reason: change.reason,
  } as const;
  const isRequest = await needsSecondPerson(order, deployment.secondPersonAbove);
  const question = `${await priceQuestion(change, operator)}?`;
  await confirm(isRequest ? `${question} A second person must approve it.` : question);
  const { organisationId: organisation, koboPerCredit, from, reason } = change;
  const row = await (koboPerCredit === null
    ? changeOrRequest('price end', { organisation: organisation ?? '', from, reason })
    : changeOrRequest('price set', { organisation, koboPerCredit, from, reason }));
  if (row) print(priceView(change.organisationId, row), priceText(change.organisationId, row));
}

/**
 * Returns a question about a change to the price list, without a question mark. If the change sets a price, the
 * question also states the current one.
 */
export async function priceQuestion(change: PriceChange, operator: Operator): Promise<string> {
  const { organisationId, koboPerCredit, from } = change;
  const { stage, organisation, koboPerCredit: current } = await operator.priceLists(organisationId);
  const who = organisationId
    ? `${(await operator.getOrganisation(organisationId)).name} (${organisationId})`
    : 'all organisations without a price of their own';
  const when = from ? `from ${time(from)}` : 'from now on';
  if (koboPerCredit === null)
    return `End the price of ${who}, so that the price of the stage applies ${when}`;
  const list = organisationId ? organisation : stage;
  const replaced = current === undefined ? 'there is no price yet' : `now ${naira(current)}`;
  const note =
    organisationId && list.length === 0 && current !== undefined
      ? `${replaced}, the price of the stage`
      : replaced;
  return `Set the price of one credit to ${naira(koboPerCredit)} without VAT (${note}) for ${who} ${when}`;
}

export function priceView(organisation: string | undefined, { koboPerCredit, ...row }: CreditPrice) {
  return { organisation: organisation ?? null, koboPerCredit, ...row };
}

export function priceText(organisation: string | undefined, { koboPerCredit, from }: CreditPrice): string {
  const who = organisation ?? 'all organisations without a price of their own';
  return paragraph(
    koboPerCredit === null
      ? `The price of the stage applies to ${who} from ${time(from)}.`
      : `One credit costs ${naira(koboPerCredit)} without VAT for ${who} from ${time(from)}.`,
  );
}

function priceListView(
  organisation: string | undefined,
  { stage, organisation: own, koboPerCredit, at }: PriceLists,
) {
  const rows = [
    ...stage.map((row) => priceView(undefined, row)),
    ...own.map((row) => priceView(organisation, row)),
  ];
  return { organisation: organisation ?? null, at, koboPerCredit: koboPerCredit ?? null, prices: rows };
}

function priceListText(
  organisation: string | undefined,
  { stage, organisation: own, koboPerCredit }: PriceLists,
): string {
  const lines = [
    ...stage.map((row) => ['all', row] as const),
    ...own.map((row) => [organisation ?? '', row] as const),
  ]
    .sort(([, a], [, b]) => (a.from < b.from ? 1 : -1))
    .map(([who, row]) => [
      time(row.from),
      who,
      row.koboPerCredit === null ? 'ended' : naira(row.koboPerCredit),
      row.actor,
      row.reason,
    ]);
  const now =
    koboPerCredit === undefined
      ? 'No price is set, so no order can be opened. Set one with `price set`.'
      : `One credit now costs ${naira(koboPerCredit)} without VAT.`;
  return `${paragraph(now)}\n\n${table(['FROM', 'FOR', 'PRICE', 'BY', 'REASON'], lines)}`;
}
