import {
  CHECK_MONEY,
  READ_BALANCE,
  type TableName,
  type TableRight,
} from '../../../infra/constructs/access/access-profiles.ts';
import { OPERATOR_PROFILES } from '../../../infra/constructs/access/operator-profiles.ts';
import {
  READ_APPROVALS,
  READ_CLOSINGS,
  READ_KEYS,
  READ_MEMBERS,
  READ_ORGANISATIONS,
  READ_PAYMENTS,
  READ_PROVIDERS,
  READ_RECORDS,
  READ_STATEMENT,
  READ_TRAIL,
  RECONCILE,
} from '../../../infra/constructs/access/operator-rights.ts';
import type { ActionName, OperatorRole } from '../../../shared/operators/actions.ts';
import { OPERATOR_ACTIONS, OPERATOR_ROLES } from '../../../shared/operators/actions.ts';
import { runnableCommands } from './command-reference.ts';

/** The tables of the operators' roles, from their profiles. roles.test.ts runs the commands under the policies. */

const CHARGES: TableRight = { table: 'Wallets', actions: ['Scan'] };

/** What the commands read that only read. */
const READS: Readonly<Record<string, readonly TableRight[]>> = {
  'org show': READ_ORGANISATIONS,
  'org profile': [READ_MEMBERS],
  'org list': READ_ORGANISATIONS,
  'member list': [READ_MEMBERS],
  'key list': READ_KEYS,
  'wallet balance': [READ_BALANCE],
  'wallet statement': [READ_STATEMENT],
  'price list': CHECK_MONEY,
  'billing show': CHECK_MONEY,
  'order list': [READ_CLOSINGS, ...CHECK_MONEY],
  'order show': READ_PAYMENTS,
  'order review': READ_PAYMENTS,
  'invoice list': [READ_CLOSINGS],
  'invoice show': READ_PAYMENTS,
  'invoice pdf': READ_PAYMENTS,
  'credit-note list': READ_PAYMENTS,
  'month status': READ_PAYMENTS,
  'report show': READ_PAYMENTS,
  'report providers': [...READ_PAYMENTS, CHARGES],
  'report export': [READ_CLOSINGS, ...CHECK_MONEY],
  'registry status': [READ_PROVIDERS],
  approvals: [READ_APPROVALS],
  audit: [READ_RECORDS],
  reconcile: [...RECONCILE, READ_TRAIL],
};

/** Whether a right permits everything that another one permits. */
function includes(held: TableRight, { table, index, actions, leadingKeys = [] }: TableRight): boolean {
  const keys = held.leadingKeys;
  return (
    held.table === table &&
    held.index === index &&
    actions.every((action) => held.actions.includes(action)) &&
    (!keys || (leadingKeys.length > 0 && leadingKeys.every((key) => keys.includes(key))))
  );
}

function mayRead(role: OperatorRole, rights: readonly TableRight[]): boolean {
  return rights.every((right) => OPERATOR_PROFILES[role].tables.some((held) => includes(held, right)));
}

function mayRun(role: OperatorRole, command: string): boolean {
  const roles: readonly OperatorRole[] | undefined = OPERATOR_ACTIONS[command as ActionName];
  return roles ? roles.includes(role) : mayRead(role, READS[command] ?? []);
}

const head = (title: string) =>
  `| ${[title, ...OPERATOR_ROLES].join(' | ')} |\n|${'---|'.repeat(OPERATOR_ROLES.length + 1)}\n`;

/** Returns the roles that may run each command. */
export function roleTable(): string {
  const rows = runnableCommands().map(({ name }) => {
    const cells = OPERATOR_ROLES.map((role) => (mayRun(role, name) ? 'yes' : ''));
    return `| \`${name}\` | ${cells.join(' | ')} |\n`;
  });
  return head('command') + rows.join('');
}

const TABLES: readonly TableName[] = [
  'ApiKeys',
  'Wallets',
  'VerificationLogs',
  'AuditTrail',
  'Approvals',
  'Payments',
  'Console',
];

function readable(role: OperatorRole, table: TableName): string {
  const rights = OPERATOR_PROFILES[role].tables.filter((right) => right.table === table);
  const isAll = ({ actions, leadingKeys, index, attributes }: TableRight) =>
    !leadingKeys && !index && !attributes && actions.length > 0;
  if (rights.some(isAll)) return 'all';
  return rights.length > 0 ? 'some' : '';
}

/** Returns how much of each table each role can read: the rows that IAM permits, not those that commands show. */
export function readableTable(): string {
  const rows = TABLES.map(
    (table) => `| ${table} | ${OPERATOR_ROLES.map((role) => readable(role, table)).join(' | ')} |\n`,
  );
  return head('table') + rows.join('');
}
