import type { Command } from 'commander';
import { needsSecondPerson } from '../../../shared/operators/needs-second-person.ts';
import { parseReason, UsageError } from '../arguments.ts';
import { changeContext } from '../command-context.ts';
import { counted } from '../output.ts';
import { type CreditOptions, creditCommand } from './credit-command.ts';
import { creditText, creditView } from './credit-text.ts';

/** Adds `wallet correct`. */
export function correctCommand(group: Command): void {
  creditCommand(
    group,
    'correct',
    'Add or remove credits to correct a mistake',
    'whole credits; negative to remove',
  )
    .requiredOption('--reason <text>', 'reason that appears on the statement', parseReason)
    .action(correct);
}

/**
 * Books a correction after confirmation, or stores a request if it needs a second person. Shows the customer's name and
 * the amount, because a mistyped ID would credit the wrong customer.
 */
async function correct(
  id: string,
  credits: number,
  { env, reference, reason, effectiveAt }: CreditOptions,
  command: Command,
): Promise<void> {
  const context = await changeContext(command);
  const { operator, deployment, changeOrRequest, confirm, print } = context;
  const wallet = { env, organisationId: id };
  const { name } = await operator.getOrganisation(id);
  const kind = 'CORRECTION';
  const order = { work: 'credit', kind, amount: credits, reference, reason, effectiveAt } as const;
  const problem = operator.problemOfCredit(order, false);
  if (problem) throw new UsageError(problem);
  const isNew = !(await operator.findCredit(wallet, reference));
  const isRequest = isNew && (await needsSecondPerson(order, deployment.secondPersonAbove));
  if (isRequest) await operator.checkCredit(wallet, order);
  const text = counted(Math.abs(credits), `${env} credit`);
  const change = credits < 0 ? `Remove ${text} from` : `Add ${text} to`;
  // Invoices and their VAT stay as they are.
  const limits =
    credits < 0 && env === 'live'
      ? ', without refunding money or VAT (use `credit-note create` for bought credits)'
      : '';
  const question = `${change} ${name} (${id}) with the reference ${reference}${limits}?`;
  await confirm(isRequest ? `${question} A second person must approve it.` : question);
  const input = { organisation: id, env, credits, reference, reason, effectiveAt };
  const result = await changeOrRequest('wallet correct', input);
  if (result) print(creditView(id, env, result), creditText(id, env, result));
}
