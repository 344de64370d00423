import type { Environment } from '../../../shared/core/environment.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import type { WalletMonthStatus } from '../../../shared/operators/operations/months.ts';
import type { Closing, MonthValue } from '../../../shared/payments/months/closing.ts';
import { naira } from '../money-arguments.ts';
import type { ResultOf } from '../operator-api.ts';
import { counted, fields, table } from '../output.ts';

/** Formats closed months. */

type Rows = readonly WalletMonthStatus[];

/** The result of a closing: how many wallets are closed, how many of them now, and which could not be closed. */
type ClosedMonths = ResultOf<'month close'>;

export function closedView(month: string, env: Environment, { closedNow, open }: ClosedMonths, rows: Rows) {
  return {
    ...statusView(month, env, rows),
    closedNow,
    problems: open.map(({ wallet, reason }) => ({ organisation: wallet.organisationId, reason })),
  };
}

export function closedText(
  month: string,
  env: Environment,
  { closed, closedNow, open }: ClosedMonths,
  rows: Rows,
): string {
  const done = `${month} is closed for ${counted(closed, `${env} wallet`)}. This run closed ${closedNow} of them.`;
  const names = new Map(rows.map(({ organisation }) => [organisation.id, organisation.name]));
  const problems = open.map(({ wallet: { organisationId }, reason }) => [
    organisationId,
    names.get(organisationId) ?? '',
    reason,
  ]);
  return [
    done,
    // Without closed wallets, sums of 0 would look like the figures of the month.
    ...(closed > 0 || open.length === 0 ? ['', totalsText(rows)] : []),
    ...(problems.length > 0 ? ['', table(['ORG', 'NAME', 'PROBLEM'], problems)] : []),
  ].join('\n');
}

const ZERO: MonthValue = { paidKobo: 0, earnedKobo: 0, refundedKobo: 0, expiredKobo: 0, deferredKobo: 0 };

/** Sums the figures of the closed wallets. Those of a reopened month do not count, because they may change. */
function totalsOf(rows: Rows): MonthValue {
  return rows.reduce((sum, { closing }) => {
    const value = closing?.state === 'CLOSED' ? closing.figures?.value : undefined;
    if (!value) return sum;
    return {
      paidKobo: sum.paidKobo + value.paidKobo,
      earnedKobo: sum.earnedKobo + value.earnedKobo,
      refundedKobo: sum.refundedKobo + value.refundedKobo,
      expiredKobo: sum.expiredKobo + value.expiredKobo,
      deferredKobo: sum.deferredKobo + value.deferredKobo,
    };
  }, ZERO);
}

function totalsText(rows: Rows): string {
  const { paidKobo, earnedKobo, refundedKobo, expiredKobo, deferredKobo } = totalsOf(rows);
  return fields({
    'paid in the month': naira(paidKobo),
    'earned in the month': naira(earnedKobo),
    'refunded in the month': naira(refundedKobo),
    'expired in the month': naira(expiredKobo),
    'deferred at its end': naira(deferredKobo),
  });
}

export function statusView(month: string, env: Environment, rows: Rows) {
  const wallets = rows.map(({ organisation: { id, name }, closing }) => ({
    organisation: id,
    name,
    state: closing?.state ?? 'OPEN',
    statement: closing?.statement ?? null,
    closedAt: closing?.closedAt ?? null,
    value: closing?.figures?.value ?? null,
    credits: closing?.figures?.credits ?? null,
  }));
  return { month, env, totals: totalsOf(rows), wallets };
}

export function statusText(month: string, env: Environment, rows: Rows): string {
  const lines = rows.map(({ organisation: { id, name }, closing }) => [
    id,
    closing?.state ?? 'OPEN',
    closing?.statement ?? '',
    closing?.figures ? naira(closing.figures.value.earnedKobo) : '',
    closing?.figures ? naira(closing.figures.value.deferredKobo) : '',
    name,
  ]);
  const closed = rows.filter(({ closing }) => closing?.state === 'CLOSED').length;
  return [
    `${month} is closed for ${closed} of ${counted(rows.length, `${env} wallet`)}.`,
    '',
    totalsText(rows),
    '',
    table(['ORG', 'STATE', 'STATEMENT', 'EARNED', 'DEFERRED', 'NAME'], lines),
  ].join('\n');
}

export function reopenedView({ env, organisationId }: WalletId, { month, state }: Closing) {
  return { organisation: organisationId, env, month, state };
}

export function reopenedText(name: string, { month }: Closing): string {
  return `${month} of ${name} is open again. Close it to compute its figures again. New bookings still go into the current month.`;
}
