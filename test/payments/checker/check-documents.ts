import { type Accounts, number, text } from './accounts.ts';
import type { Report } from './check-accounts.ts';
import type { Commit } from './evidence.ts';

/** Checks that each new document has the next number of its series, in the transaction that counts it. */
export function checkDocuments(before: Accounts, { versions }: Commit, report: Report): void {
  for (const { pk, sk, row } of versions) {
    if (!sk.startsWith('DOCUMENT#')) continue;
    const name = sk.slice('DOCUMENT#'.length);
    if (!row || before.row(pk, sk)) {
      report('a document is written once', name);
      continue;
    }
    const series = name.slice(0, name.lastIndexOf('-'));
    const count = Number(name.slice(name.lastIndexOf('-') + 1));
    const last = before.row(`COUNTER#${series}`, 'COUNTER');
    if (count !== (last ? number(last, 'last') : 0) + 1) report('document numbers have no gaps', name);
    const counter = versions.find((version) => version.pk === `COUNTER#${series}`);
    if (number(counter?.row ?? undefined, 'last') !== count)
      report('a number is assigned in the transaction of its document', name);
    if (text(row, 'number') !== name) report('a document has the number in its key', name);
  }
  for (const { pk, row } of versions.filter(({ sk }) => sk === 'COUNTER'))
    if (!versions.some(({ sk }) => sk.startsWith(`DOCUMENT#${pk.slice('COUNTER#'.length)}-`)) || !row)
      report('document numbers have no gaps', `${pk} counts no document`);
}
