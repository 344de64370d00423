import type { TransactItem } from '../audit/audit-table.ts';
import { DAY_SECONDS } from '../core/clock.ts';
import { setting } from '../core/config.ts';
import { database } from '../core/database.ts';
import type { WalletId } from '../core/keys.ts';
import { acceptedKeys, refreshSecret, type Secret, secret } from '../core/secrets.ts';
import { type LogRow, type LogTable, logTable } from '../verifications/log-table.ts';
import { nameOfWithdrawal, type WithdrawnTable, withdrawnTable } from './withdrawn-table.ts';

export interface WithdrawalDependencies {
  readonly log: Pick<LogTable, 'findByRequest'>;
  readonly withdrawn: Pick<WithdrawnTable, 'withdraw'>;
  readonly slipSecret: () => Promise<Secret>;
  readonly nowMs: () => number;
}

/** Creates the dependencies of withdrawals. Called once per instance. */
export function withdrawalDependencies(): WithdrawalDependencies {
  const client = database();
  return {
    log: logTable(client, client, setting('VERIFICATION_LOGS_TABLE'), setting('LOG_RETENTION_DAYS')),
    withdrawn: withdrawnTable(client, setting('API_KEYS_TABLE')),
    slipSecret: freshSlipSecret,
    nowMs: Date.now,
  };
}

/** Fetches the secret again, because a token may have been signed since this instance last did. */
export const freshSlipSecret = async () => (await refreshSecret('SLIP')) ?? (await secret('SLIP'));

/** Free replays, which make copies, end after a day. A slip is dated, and its expiry calculated, shortly after its request. */
const LAST_COPY_SECONDS = DAY_SECONDS + 60;

/** What is known of a slip: its log row. */
type SlipRow = Pick<LogRow, 'requestId' | 'service' | 'outcome' | 'expiresAt' | 'replayedRequestId'>;

const isSlip = ({ service, outcome }: SlipRow) => service === 'nin-slip' && outcome === 'FOUND';

/** A name for each accepted key, because the token may be signed with any of them. */
function namesOf({ requestId, replayedRequestId }: SlipRow, secretOfSlips: Secret): string[] {
  const keys = acceptedKeys(secretOfSlips);
  // Slips of earlier releases have the ID of the replay, later ones that of the charged request.
  const ids = replayedRequestId === undefined ? [requestId] : [requestId, replayedRequestId];
  return ids.flatMap((id) => keys.map((key) => nameOfWithdrawal(id.slice('req_'.length), key)));
}

/** Whether a log row has a slip that was withdrawn. */
export async function isSlipWithdrawn(
  row: SlipRow,
  withdrawn: Pick<WithdrawnTable, 'isWithdrawn'>,
): Promise<boolean> {
  if (!isSlip(row)) return false;
  const names = namesOf(row, await secret('SLIP'));
  return (await Promise.all(names.map(withdrawn.isWithdrawn))).includes(true);
}

/**
 * Withdraws the slip of a log row, and all copies that replays of its request have made or will make, until the last
 * one expires. Returns false if its request made no slip. Repeating it is harmless.
 */
export async function withdrawSlipOf(
  row: SlipRow,
  { withdrawn, slipSecret }: Pick<WithdrawalDependencies, 'withdrawn' | 'slipSecret'>,
  record: readonly TransactItem[] = [],
): Promise<boolean> {
  if (!isSlip(row)) return false;
  const names = namesOf(row, await slipSecret());
  await withdrawn.withdraw(names, row.expiresAt + LAST_COPY_SECONDS, record);
  return true;
}

/** Withdraws the slip of a request. Returns false if no request of this wallet with this ID made a slip. */
export async function withdrawSlip(
  wallet: WalletId,
  requestId: string,
  deps: WithdrawalDependencies,
  record: readonly TransactItem[],
): Promise<boolean> {
  for (const row of await deps.log.findByRequest(wallet, requestId, deps.nowMs()))
    if (await withdrawSlipOf(row, deps, record)) return true;
  return false;
}
