import type { Command } from 'commander';
import type { Reconciliation } from '../../../shared/ledger/reconcile/reconcile.ts';
import { DIFFERENCE_KINDS, type Difference } from '../../../shared/ledger/reconcile/rows.ts';
import { parseOrganisationId } from '../arguments.ts';
import { commandContext } from '../command-context.ts';
import { counted, table } from '../output.ts';

export function reconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description(
      'Check that balances, charges, credits and logs agree, and the audit trail with its archive, and exit with 1 if they do not',
    )
    .option('--org <org>', 'check only this organisation', parseOrganisationId)
    .action(async ({ org }: { org?: string }, command: Command) => {
      const { operator, print } = await commandContext(command);
      const result = await operator.reconcile(org);
      print(result, formatReconciliation(result));
      const { length } = result.differences;
      if (length > 0) throw new Error(`The reconciliation found ${counted(length, 'difference')}.`);
    });
}

function formatReconciliation({ wallets, charges, credits, logs, differences }: Reconciliation): string {
  const read = `Read ${counted(wallets, 'wallet')}, ${counted(charges, 'charge row')}, ${counted(credits, 'credit row')} and ${counted(logs, 'log row')}.`;
  if (differences.length === 0) return `${read} They agree.`;
  const head = ['DAY', 'ENV', 'ORG', 'REQUEST OR REFERENCE', 'KIND', 'EXPECTED', 'FOUND'];
  const kinds = [...new Set(differences.map(({ kind }) => kind))];
  const rules = kinds.map((kind) => `${kind}: ${DIFFERENCE_KINDS[kind]}`);
  return [read, '', table(head, differences.map(columns)), '', 'Rules that do not hold:', ...rules].join(
    '\n',
  );
}

function columns({ day, env, organisation, requestId, reference, kind, expected, found }: Difference) {
  return [day, env, organisation, requestId ?? reference ?? '', kind, String(expected), String(found)];
}
