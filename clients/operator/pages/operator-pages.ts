import { readFileSync, writeFileSync } from 'node:fs';
import { withTable } from '../../../infra/openapi/code-table.ts';
import { attributeTable, type DocumentedRow } from '../../../infra/openapi/row-attributes.ts';
import {
  API_KEYS_ROWS,
  AUDIT_ROWS,
  CONSOLE_ROWS,
  MONEY_SETTINGS,
  PAYMENTS_ROWS,
  VERIFICATION_LOGS_ROWS,
  WALLETS_ROWS,
} from '../../../infra/openapi/row-list.ts';
import { DIFFERENCE_KINDS } from '../../../shared/ledger/reconcile/rows.ts';
import { EXPORT_FILES } from '../../../shared/payments/reports/export-columns.ts';
import { WHOSE } from '../../../shared/payments/reports/report.ts';
import { commandReference, commonOptions } from './command-reference.ts';
import { readableTable, roleTable } from './role-tables.ts';

/** Writes the generated parts of the pages for operators, finance and auditors, as a step of `npm run openapi`. */

type Generate = (page: string) => string;

const commands =
  (...groups: string[]): Generate =>
  (page) =>
    withTable(page, 'commands', commandReference(groups));

const attributes =
  (rows: readonly DocumentedRow[]): Generate =>
  (page) =>
    withTable(page, 'attributes', attributeTable(rows));

function differenceTable(): string {
  const rows = Object.entries(DIFFERENCE_KINDS).map(([kind, rule]) => `| \`${kind}\` | ${rule} |\n`);
  return `| kind | rule |\n|---|---|\n${rows.join('')}`;
}

/** The files of an export, each with the columns that not all of them have. */
function exportTable(): string {
  const rows = Object.entries(EXPORT_FILES).map(([file, columns]) => {
    const names = Object.keys(columns).filter((name) => !Object.hasOwn(WHOSE, name));
    return `| \`${file}.csv\` | ${names.map((name) => `\`${name}\``).join(', ')} |\n`;
  });
  return `| file | columns |\n|---|---|\n${rows.join('')}`;
}

/** By the path of the page, the function that writes its generated parts. */
export const OPERATOR_PAGES: Readonly<Record<string, Generate>> = {
  'docs/operate/admin.md': (page) => withTable(page, 'options', commonOptions()),
  'docs/operate/admin/roles.md': (page) =>
    withTable(withTable(page, 'operator roles', roleTable()), 'readable tables', readableTable()),
  'docs/operate/admin/commands-accounts.md': commands('org', 'member', 'service', 'key'),
  'docs/operate/admin/commands-money.md': commands(
    ...['wallet', 'price', 'billing', 'order', 'invoice', 'credit-note', 'month', 'report'],
  ),
  'docs/operate/admin/commands-service.md': commands(
    ...['registry', 'privacy', 'slip', 'approvals', 'approve', 'audit', 'reconcile'],
  ),
  'docs/finance/differences.md': (page) => withTable(page, 'differences', differenceTable()),
  'docs/finance/export.md': (page) => withTable(page, 'export', exportTable()),
  'docs/finance/settings.md': attributes(MONEY_SETTINGS),
  'docs/design/tables/api-keys.md': attributes(API_KEYS_ROWS),
  'docs/design/tables/wallets.md': attributes(WALLETS_ROWS),
  'docs/design/tables/verification-logs.md': attributes(VERIFICATION_LOGS_ROWS),
  'docs/design/tables/audit.md': attributes(AUDIT_ROWS),
  'docs/design/tables/payments.md': attributes(PAYMENTS_ROWS),
  'docs/design/tables/console.md': attributes(CONSOLE_ROWS),
};

if (import.meta.main)
  for (const [path, generate] of Object.entries(OPERATOR_PAGES)) {
    const page = new URL(`../../../${path}`, import.meta.url);
    writeFileSync(page, generate(readFileSync(page, 'utf8')));
  }
