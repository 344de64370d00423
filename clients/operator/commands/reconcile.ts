import type { Command } from 'commander';
import { DIFFERENCE_KINDS, type Difference } from '../../../shared/ledger/reconcile/difference.ts';
import type { Reconciliation } from '../../../shared/ledger/reconcile/reconcile.ts';
import { parseOrganisationId } from '../arguments.ts';
import { openSession } from '../command-context.ts';
import { amount, table } from '../output.ts';

/** `reconcile`: do all rows agree? */
export function reconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description('recompute the books from the rows; ends with 1 where anything differs, and changes nothing')
    .option('--org <org>', 'only this organisation', parseOrganisationId)
    .action(async ({ org }: { org?: string }, command: Command) => {
      const { operator, print } = await openSession(command);
      const result = await operator.reconcile(org);
      print(result, text(result));
      const { length } = result.differences;
      if (length > 0)
        throw new Error(`The books differ in ${length} ${length === 1 ? 'deployment' : 'places'}.`);
    });
}

function text({ wallets, charges, credits, logs, differences }: Reconciliation): string {
  const read = `${amount(wallets)} wallets, ${amount(charges)} charge rows, ${amount(credits)} credit rows and ${amount(logs)} log rows were read.`;
  if (differences.length === 0) return `${read} They agree.`;
  const head = ['DAY', 'ENV', 'ORG', 'REQUEST', 'WHAT DIFFERS', 'EXPECTED', 'FOUND'];
  const kinds = [...new Set(differences.map(({ kind }) => kind))];
  const broken = kinds.map((kind) => `${kind}: ${DIFFERENCE_KINDS[kind]}`);
  return [read, '', table(head, differences.map(line)), '', 'What should be:', ...broken].join('\n');
}

function line({ day, env, organisation, requestId, reference, kind, expected, found }: Difference) {
  return [day, env, organisation, requestId ?? reference ?? '', kind, String(expected), String(found)];
}
