import { isTableFailure } from '../../core/database.ts';
import type { WalletId } from '../../core/keys.ts';
import type { StatementScope } from '../../ledger/statement/read-statement.ts';
import { type BegunClosing, beginClosing, type ClosingDependencies } from './begin-closing.ts';
import { type ClosedMonth, completeClosing, computeClosing } from './close-month.ts';

/** Can be interrupted at any time, and run again. */

interface MonthsRequest {
  readonly month: string;
  readonly wallets: readonly StatementScope[];
  readonly actor: string;
  /** With the number of wallets that are done. */
  readonly onProgress?: (done: number, total: number) => void;
}

interface OpenWallet {
  readonly wallet: WalletId;
  readonly reason: string;
}

interface ClosedWallet extends ClosedMonth {
  readonly wallet: WalletId;
}

export interface MonthsClosed {
  readonly closed: readonly ClosedWallet[];
  readonly open: readonly OpenWallet[];
}

const PARALLEL = 16;
/** Requests are settled within 3 minutes, unless something is wrong. */
const ROUNDS = 7;
const ROUND_MS = 30_000;

/**
 * Rejects further bookings, then computes and closes each wallet. A wallet with a problem does not stop the others.
 * Waits a few minutes for requests that are not settled. Throws if the tables do not respond.
 */
export async function closeMonths(request: MonthsRequest, deps: ClosingDependencies): Promise<MonthsClosed> {
  const closed: ClosedWallet[] = [];
  const open: OpenWallet[] = [];
  let left = request.wallets;
  const advance = () => request.onProgress?.(closed.length + open.length, request.wallets.length);
  for (let round = 1; left.length > 0; round += 1) {
    const begun = await beginAll(request, left, deps, open);
    for await (const one of closeAll(begun.ready, deps, open)) {
      closed.push(one);
      advance();
    }
    const isLast = round === ROUNDS;
    if (isLast) open.push(...begun.waiting.map(({ scope, reason }) => ({ wallet: scope.wallet, reason })));
    advance();
    left = isLast ? [] : begun.waiting.map(({ scope }) => scope);
    if (left.length > 0) await deps.clock.pause(ROUND_MS);
  }
  return { closed, open };
}

interface Waiting {
  readonly scope: StatementScope;
  readonly reason: string;
}

async function beginAll(
  { month, actor }: MonthsRequest,
  scopes: readonly StatementScope[],
  deps: ClosingDependencies,
  open: OpenWallet[],
) {
  const [ready, waiting]: [BegunClosing[], Waiting[]] = [[], []];
  for (const some of groupsOf(scopes))
    await Promise.all(
      some.map((scope) =>
        collectProblem(scope.wallet, open, async () => {
          const one = await beginClosing({ scope, month, actor }, deps);
          if ('waiting' in one) waiting.push({ scope, reason: one.waiting });
          else ready.push(one);
        }),
      ),
    );
  return { ready, waiting };
}

/** Computes several at a time, but completes them one by one: statements take numbers from one series. */
async function* closeAll(
  begun: readonly BegunClosing[],
  deps: ClosingDependencies,
  open: OpenWallet[],
): AsyncGenerator<ClosedWallet> {
  for (const some of groupsOf(begun)) {
    const computed = await Promise.all(
      some.map((one) => collectProblem(one.scope.wallet, open, () => computeClosing(one, deps))),
    );
    for (const one of computed) {
      const wallet = one?.scope.wallet;
      const result = one && (await collectProblem(one.scope.wallet, open, () => completeClosing(one, deps)));
      if (wallet && result) yield { wallet, ...result };
    }
  }
}

/** Adds a failure to `open`, but rethrows errors that say nothing about the wallet. */
async function collectProblem<T>(
  wallet: WalletId,
  open: OpenWallet[],
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (isTableFailure(error) || !(error instanceof Error)) throw error;
    open.push({ wallet, reason: error.message });
    return undefined;
  }
}

function groupsOf<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / PARALLEL);
  return Array.from({ length: count }, (_, index) => items.slice(index * PARALLEL, (index + 1) * PARALLEL));
}
