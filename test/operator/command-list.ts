import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Command } from 'commander';
import { recorderAt } from '../../infra/local/demo-team.ts';
import { accountingMonthOf, monthBefore } from '../../shared/core/accounting-month.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { acceptInvitation } from '../../shared/members/accept-invitation.ts';
import { invitationTable } from '../../shared/members/invitation-table.ts';
import { memberTable } from '../../shared/members/member-table.ts';
import type { ActionName, OperatorRole } from '../../shared/operators/actions.ts';
import type { Deployment } from '../../shared/operators/deployment.ts';
import type { ApprovedOrder } from '../../shared/operators/operations/approved-order.ts';
import type { Operator } from '../../shared/operators/operator.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { priceTable } from '../../shared/payments/prices/price-table.ts';
import { providerSwitchTable } from '../../shared/registries/health/provider-switch-table.ts';
import { logTable } from '../../shared/verifications/log-table.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';

/** All commands of `admin`, each with arguments that make it succeed in the world that `worldFor` returns. */

/** The tables in which worlds are created, and a directory for the files of commands. */
export interface Place extends Pick<Deployment, 'client' | 'tables' | 'pepper'> {
  /** Without restrictions. */
  readonly operator: Operator;
  readonly directory: string;
}

export interface World {
  readonly directory: string;
  readonly org: string;
  /**
   * A Paystack order that is not paid, one with a problem, an invoice, and a credit note to be paid back by bank
   * transfer.
   */
  readonly opened: string;
  readonly order: string;
  readonly invoice: string;
  readonly creditNote: string;
  /** Another person's approval request, for a change that the role may approve. */
  readonly request: string;
}

export interface ListedCommand {
  readonly args: (world: World) => readonly string[];
  /** `report`: reads personal data, and changes only the audit trail. `other`: audit.test.ts or its neighbours test it. */
  readonly kind: 'change' | 'read' | 'report' | 'other';
  /** What the audit trail records. */
  readonly target?: RegExp;
  readonly before?: object;
  readonly after?: object;
  /** Whether repeating the command changes nothing. */
  readonly isRepeatable?: true;
  /** Commands that need or leave data in a special state run in a world of their own, which this function prepares. */
  readonly prepare?: (place: Place, org: string) => Promise<unknown>;
}

/** The month in which the organisation was created: earlier ones have nothing to report. */
const CURRENT = accountingMonthOf(Date.now());
/** Months that can be closed, because they ended weeks ago. */
const EARLIER = monthBefore(monthBefore(CURRENT));
const EARLIEST = monthBefore(EARLIER);

export const NUMBER = '12345678901';
/** The request that made a slip for the number. */
const slipRequestOf = (org: string) => `req_${createHash('sha256').update(org).digest('hex').slice(0, 12)}`;
const BUYER = {
  name: 'Kainji Pay Ltd',
  address: ['1 Invented Way, Lagos'],
  taxNumber: '12345678-0001',
  email: 'accounts@kainji.example',
};
const BILLING = [
  ...['--name', BUYER.name, '--address', BUYER.address.join()],
  ...['--tax-number', BUYER.taxNumber, '--email', 'finance@kainji.example'],
];
const ticket = ['--reference', 'TICKET-2', '--reason', 'bought too many'];

const numberFileIn = (directory: string) => join(directory, 'number.txt');
/** Returns the name of a new file, because commands do not overwrite files. */
const newFile = ({ directory }: World, ending: string) =>
  join(directory, newOperationId(Date.now()) + ending);
/** The options that select the number in the file. */
const person = ({ org, directory }: World) => [
  ...[org, '--env', 'live', '--id-type', 'NIN'],
  ...['--number-file', numberFileIn(directory)],
];

const read = (args: ListedCommand['args']): ListedCommand => ({ kind: 'read', args });
const change = (args: ListedCommand['args'], rest: Partial<ListedCommand> = {}): ListedCommand => ({
  ...{ kind: 'change', args },
  ...rest,
});
const repeatable = (args: ListedCommand['args'], rest: Partial<ListedCommand> = {}): ListedCommand =>
  change(args, { ...rest, isRepeatable: true });

export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  'org create': change(() => ['Kainji Pay'], { target: /^organisation$/, after: { name: 'Kainji Pay' } }),
  'org approve': repeatable(({ org }) => [org], {
    // Approving an approved organisation would write nothing.
    prepare: ({ operator }, org) => operator.suspend(org),
    before: { status: 'SUSPENDED' },
    after: { status: 'APPROVED' },
  }),
  'org suspend': repeatable(({ org }) => [org, '--reason', 'Unpaid invoice.'], {
    prepare: async () => undefined,
    after: { status: 'SUSPENDED', suspendedBecause: 'Unpaid invoice.' },
  }),
  'org show': read(({ org }) => [org]),
  'org profile': read(({ org }) => [org]),
  'org list': read(() => []),
  'org set-rate': repeatable(({ org }) => [org, '50', '100'], {
    before: { rateLimit: { perSecond: 10, burst: 20 } },
    after: { rateLimit: { perSecond: 50, burst: 100 } },
  }),
  'org set-low-balance': repeatable(({ org }) => [org, '5000'], {
    before: { lowBalanceCredits: null },
    after: { lowBalanceCredits: 5_000 },
  }),
  'member invite': {
    kind: 'other',
    args: ({ org }) => [org, 'ngozi@kainji.example', '--role', 'owner'],
  },
  'member list': read(({ org }) => [org]),
  'member remove': change(({ org }) => [org, memberOf(org).id]),
  'member erase': { kind: 'other', args: ({ org }) => [leaverOf(org).id] },
  'service enable': repeatable(({ org }) => [org, 'NIN'], {
    after: { services: expect.objectContaining({ 'nin-basic': {} }) },
  }),
  'service disable': repeatable(({ org }) => [org, 'bvn-basic'], {
    before: { services: expect.objectContaining({ 'bvn-basic': {} }) },
    after: { services: expect.not.objectContaining({ 'bvn-basic': {} }) },
  }),
  'service set-price': repeatable(({ org }) => [org, 'tin-basic', '2'], {
    before: { prices: null },
    after: { prices: { 'tin-basic': 2 } },
  }),
  'key create': change(({ org }) => [org, '--env', 'live', '--label', 'another'], {
    target: /^live key [0-9a-f]{12}$/,
    after: { label: 'another', status: 'ACTIVE' },
  }),
  'key update': repeatable(({ org }) => [org, 'backend', '--ip', '203.0.113.0/24'], {
    target: /^live key [0-9a-f]{12}$/,
    before: { label: 'backend', addressRanges: null },
    after: { label: 'backend', addressRanges: ['203.0.113.0/24'] },
  }),
  'key rotate': change(({ org }) => [org, 'backend'], { target: /^live key [0-9a-f]{12}$/ }),
  'key revoke': change(({ org }) => [org, 'till'], {
    before: { label: 'till', status: 'ACTIVE' },
    after: { label: 'till', status: 'REVOKED' },
  }),
  'key list': read(({ org }) => [org]),
  'wallet top-up': repeatable(({ org }) => [org, '10', '--reference', 'INV-1'], {
    target: /^credit INV-1 of the live wallet$/,
    after: { kind: 'TOP_UP', amount: 10 },
  }),
  'wallet correct': repeatable(
    ({ org }) => [org, '-5', '--reference', 'TICKET-1', '--reason', 'credited twice'],
    { after: { kind: 'CORRECTION', amount: -5, reason: 'credited twice' } },
  ),
  'wallet balance': read(({ org }) => [org]),
  'wallet statement': read(({ org }) => [org]),
  'wallet set-shards': repeatable(({ org }) => [org, '3'], {
    before: { walletShards: 1 },
    after: { walletShards: 3 },
  }),
  'price set': change(({ org }) => ['150', '--org', org, '--reason', 'contract'], {
    target: /^price from \d{4}-/,
    after: { koboPerCredit: 15_000, reason: 'contract' },
  }),
  'price end': change(({ org }) => ['--org', org, '--reason', 'contract'], {
    // Other commands need a price.
    prepare: async () => undefined,
    target: /^price from \d{4}-/,
    after: { koboPerCredit: null, reason: 'contract' },
  }),
  'price list': read(({ org }) => ['--org', org]),
  'billing set': repeatable(({ org }) => [org, ...BILLING], {
    target: /^billing details$/,
    before: { email: BUYER.email },
    after: { email: 'finance@kainji.example' },
  }),
  'billing show': read(({ org }) => [org]),
  'order open': change(({ org }) => [org, '10'], {
    target: /^live order TOPUP-\w+$/,
    after: { credits: 10, method: 'TRANSFER' },
  }),
  'order list': read(({ org }) => [org]),
  'order show': read(({ order }) => [order]),
  'order review': read(() => []),
  'order settle': { kind: 'other', args: ({ opened }) => [opened] },
  'order resolve': change(({ order }) => [order, '--reason', 'returned'], {
    before: { state: 'MISMATCH', problem: 'x' },
    after: { state: 'MISMATCH', resolution: 'returned' },
  }),
  'invoice list': read(({ org }) => [org]),
  'invoice show': read(({ org, invoice }) => [org, invoice]),
  'invoice pdf': read((world) => [world.org, world.invoice, '--out', newFile(world, '.pdf')]),
  'credit-note create': repeatable(({ org, invoice }) => [org, invoice, '5', ...ticket], {
    target: /^credit refund:TICKET-2 of the live wallet$/,
    after: { kind: 'CORRECTION', amount: -5 },
  }),
  'credit-note list': read(({ org }) => [org]),
  'credit-note paid-back': change(({ org, creditNote }) => [org, creditNote, '--bank-reference', 'GTB-1'], {
    target: /^refund of the credit note IDVC-/,
    after: { state: 'DONE' },
  }),
  'month close': repeatable(({ org }) => [EARLIER, org], {
    target: /^month \d{4}-\d\d of the live wallet$/,
    after: { state: 'CLOSED' },
  }),
  'month status': read(({ org }) => [EARLIER, org]),
  'month reopen': change(({ org }) => [EARLIEST, org, '--reason', 'forgotten refund'], {
    prepare: ({ operator }, organisationId) =>
      operator.closeMonths({ month: EARLIEST, env: 'live', organisationId }, 'root'),
    before: { state: 'CLOSED' },
    after: { state: 'REOPENED', reason: 'forgotten refund' },
  }),
  'report show': read(() => ['customers', CURRENT]),
  'report providers': read(({ directory }) => [
    ...['margins', CURRENT, '--prices', join(directory, 'prices.json')],
  ]),
  'report export': read((world) => ['--month', '2026-10', '--out', newFile(world, '-export')]),
  'registry status': read(() => []),
  'registry disable': repeatable(() => ['prembly', '--reason', 'wrong records'], {
    target: /^provider prembly \(live\)$/,
    before: { disabled: false },
    after: { disabled: true, reason: 'wrong records' },
  }),
  'registry enable': repeatable(() => ['dojah'], {
    prepare: ({ client, tables }) =>
      providerSwitchTable(client, tables.apiKeys).disable(
        { provider: 'dojah', env: 'live' },
        { actor: 'ada', reason: 'wrong records', atMs: 0 },
      ),
    before: { disabled: true, reason: 'wrong records' },
    after: { disabled: false },
  }),
  'registry test': {
    kind: 'other',
    args: () => ['prembly', 'NIN', '12345678901', '--timeout', '1', '--reason', 'ticket 17'],
  },
  'privacy export': {
    kind: 'report',
    args: person,
    target: /^live log rows about one NIN$/,
    after: { rows: 1 },
  },
  'privacy erase': change(person, { target: /^live log rows about one NIN$/ }),
  'privacy impact': {
    kind: 'report',
    args: ({ org }) => [org, '--env', 'live', '--key', 'backend', '--from', '2026-01-01'],
    target: /^live look-ups of the key "backend"$/,
    after: { from: '2026-01-01T00:00:00.000Z', rows: 0 },
  },
  'slip withdraw': change(({ org }) => [org, slipRequestOf(org), '--env', 'live'], {
    prepare: logNumber,
    target: /^live slip req_[0-9a-f]{12}$/,
    after: { isWithdrawn: true },
  }),
  approvals: read(() => []),
  approve: change(({ request }) => [request]),
  audit: read(() => []),
  // Fails if it finds differences, such as the order with a problem.
  reconcile: { ...read(({ org }) => ['--org', org]), prepare: async () => undefined },
};

/** Returns the names of a program's commands. */
export function commandNames(command: Command, name = ''): string[] {
  const below = command.commands.flatMap((child) => commandNames(child, `${name} ${child.name()}`.trim()));
  return command.commands.length === 0 ? [name] : below;
}

/** Creates a world for one command that needs its own, or for all that need none. `role`: who approves in it. */
export async function worldFor(place: Place, role: OperatorRole, name?: string): Promise<World> {
  writeFileSync(numberFileIn(place.directory), NUMBER);
  writeFileSync(join(place.directory, 'prices.json'), '{}');
  const world = await newOrganisation(place, role);
  const prepare = name === undefined ? undefined : COMMANDS[name]?.prepare;
  if (prepare) await prepare(place, world.org);
  if (prepare) return world;
  await logNumber(place, world.org);
  await addMembers(place, world.org);
  return withPayments(place, world);
}

/** Creates an organisation with credits, keys and services. */
async function newOrganisation(place: Place, role: OperatorRole): Promise<World> {
  const { operator, directory, client, tables } = place;
  const { id: org } = await operator.createOrganisation('Kainji Pay');
  const wallet = { env: 'live', organisationId: org } as const;
  await operator.approve(org);
  await operator.enableServices(org, ['tin-basic', 'bvn-basic'], 'CBN licence 1');
  for (const label of ['backend', 'till'])
    await operator.createKey({ organisationId: org, env: 'live', label });
  const credit = { amount: 20, reference: `START-${org}`, reason: '', actor: 'root' };
  await operator.topUp(wallet, credit);
  const at = new Date().toISOString();
  const price = { koboPerCredit: 15_000, from: at, actor: 'root', reason: 'contract', createdAt: at };
  const recorder = recorderAt(client, tables.auditTrail, 'price set', undefined, Date.now());
  await priceTable(client, tables.payments, recorder).addPrice(org, price);
  const [action, order] = await requestOf(place, role, org);
  const asked = { ...wallet, action, requestedBy: 'bola' };
  const { id: request } = await operator.requestApproval(asked, order);
  await operator.setBilling(org, BUYER, 'root');
  return { directory, org, request, opened: '', order: '', invoice: '', creditNote: '' };
}

/** Returns a change that the role may approve, and its action. */
async function requestOf(
  { operator }: Place,
  role: OperatorRole,
  org: string,
): Promise<readonly [ActionName, ApprovedOrder]> {
  if (role === 'privacy') {
    const tags = await operator.tagsOf({ env: 'live', organisationId: org }, 'NIN', NUMBER);
    return ['privacy erase', { work: 'erasure', idType: 'NIN', numberTags: tags }];
  }
  if (role === 'operator') return ['key create', { work: 'key', label: 'approved' }];
  const credit = { amount: 3, reference: `TICKET-${org}`, reason: 'x' };
  return ['wallet correct', { work: 'credit', kind: 'CORRECTION', ...credit }];
}

const personOf = (org: string, name: string) => ({
  id: `${name}-${org}`,
  email: `${name}-${org}@kainji.example`.toLowerCase(),
  name,
});
const memberOf = (org: string) => personOf(org, 'Bola');
/** A former member. */
const leaverOf = (org: string) => personOf(org, 'Dayo');

/** Adds a member and a former member. */
async function addMembers({ client, tables, operator }: Place, org: string): Promise<void> {
  const [members, invitations] = [
    memberTable(client, tables.console),
    invitationTable(client, tables.console),
  ];
  for (const one of [memberOf(org), leaverOf(org)]) {
    const { secret } = await operator.invite(org, one.email, 'viewer');
    await acceptInvitation(one, secret, { members, invitations }, Date.now());
  }
  await operator.removeMember(await operator.findMember(org, leaverOf(org).id));
}

/** Returns the world with the orders and documents that commands about payments need. */
async function withPayments({ operator, client, tables }: Place, world: World): Promise<World> {
  const wallet = { env: 'live', organisationId: world.org } as const;
  const transfer = { wallet, credits: 20, reference: `BANK-${world.org}`, reason: '' };
  const { order } = await operator.creditTransfer({ ...transfer, totalKobo: 322_500 }, 'root');
  const { invoice = '' } = order;
  const refund = { wallet, invoice, credits: 10, reference: 'TICKET-1', reason: 'x', actor: 'root' };
  const { creditNote } = await operator.refundCredits(refund, 161_250);
  const orders = orderTable(client, tables.payments);
  const { lot: _, receipt: __, invoice: ___, payment: ____, ...rest } = order;
  const [opened, mismatch] = [newReference(), newReference()];
  const paystack = { ...rest, method: 'PAYSTACK' } as const;
  await orders.insertOrder({ ...paystack, reference: opened, state: 'OPENED' });
  await orders.insertOrder({ ...paystack, reference: mismatch, state: 'MISMATCH', problem: 'x' });
  return { ...world, opened, order: mismatch, invoice, creditNote: creditNote.number };
}

const newReference = () => `TOPUP-${newOperationId(Date.now())}`;

/** Writes the log row of a keyed request that made a slip for the number in the file. An erasure moves this row. */
export async function logNumber({ client, tables, pepper }: Place, org: string): Promise<void> {
  const wallet = { env: 'live', organisationId: org } as const;
  const [numberTag = ''] = numberTags(await pepper(), wallet, 'NIN', NUMBER);
  const entry = {
    operationId: `operation-${org}`,
    requestId: slipRequestOf(org),
    service: 'nin-slip',
    outcome: 'FOUND',
    httpStatus: 200,
    creditsCharged: 1,
    provider: 'dojah',
    keyLabel: 'till',
    latencyMs: 1,
    requestedAt: '2026-11-20T12:00:00.000Z',
    idempotencyHash: 'a'.repeat(64),
  } as const;
  await logTable(client, client, tables.verificationLogs, 365).writeOnce({ ...entry, wallet, numberTag });
}
