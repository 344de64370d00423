import type { Change } from '../../audit/audit-entry.ts';
import { recordAlone } from '../../audit/audit-table.ts';
import { wasApplied } from '../../core/database.ts';
import { PRESENT, remove, sendDelete } from '../../core/expressions.ts';
import type { IdType } from '../../core/id-types.ts';
import { numberLimiterKey, type WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import { type ErasureStep, eraseNumber } from '../../ledger/erase.ts';
import { idempotencyTable } from '../../ledger/tables/idempotency-table.ts';
import { withdrawSlipOf } from '../../slips/withdraw-slip.ts';
import { withdrawnTable } from '../../slips/withdrawn-table.ts';
import { erasureTable } from '../../verifications/erasure-table.ts';
import { logReportTable } from '../../verifications/log-report-table.ts';
import { numberTags, pepperVersion, tagsOfAllTypes } from '../../verifications/number-tag.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';
import { requireNumber } from './privacy-reports.ts';
import { type ErasedNumber, numbersInConsole } from './profile-numbers.ts';

export interface Erasure extends ErasedNumber {
  readonly erased: number;
  /** Withdrawn by this run. It cannot reach slips of other organisations. */
  readonly slips: number;
  /** By an earlier run, perhaps an interrupted one. */
  readonly erasedEarlier: string | null;
}

/** Operations that data protection law requires (docs/privacy/erase.md). */
export function privacyOf(place: Workplace) {
  const { deployment, recorder, clock } = place;
  const { client, tables, pepper, slipSecret, logRetentionDays } = deployment;
  const organisations = organisationsIn(place);
  const inConsole = numbersInConsole(place);
  return {
    /** Under the current and previous peppers. */
    async tagsOf(scope: WalletId, idType: IdType, text: string): Promise<string[]> {
      await requireOrganisation(organisations, scope.organisationId);
      const number = requireNumber(idType, text);
      return tagsOfAllTypes(await pepper(), scope, idType, number);
    },
    /**
     * Also withdraws their slips, and deletes the counts of wrong details. Takes about a minute, because it waits for requests in progress. Log rows remain for
     * accounting. Repeating it
     * completes an interrupted run. Throws if the pepper was rotated since.
     */
    async eraseTags(
      scope: WalletId,
      idType: IdType,
      tags: readonly string[],
      onStep?: (step: ErasureStep) => void,
    ): Promise<Erasure> {
      const [anyTag] = numberTags(await pepper(), scope, idType, '');
      if (!tags.some((tag) => pepperVersion(tag) === pepperVersion(anyTag)))
        throw notPossible(
          'The pepper has been rotated since this erasure was requested. Nothing was erased. Request the erasure again.',
        );
      const { env, organisationId } = scope;
      // The audit trail is kept permanently.
      const target = `${env} log rows about one ${idType}`;
      const record = (after: Change['after']) => recorder.record({ organisationId, target, after });
      const erasureTables = {
        erasures: erasureTable(client, tables.verificationLogs, logRetentionDays, () =>
          record({ erased: true }),
        ),
        idempotency: idempotencyTable(client, tables.wallets),
        withdrawSlip: (row: Parameters<typeof withdrawSlipOf>[0]) =>
          withdrawSlipOf(row, { withdrawn: withdrawnTable(client, tables.apiKeys), slipSecret }),
      };
      const log = logReportTable(client, tables.verificationLogs);
      const earlierMs = await log.erasedAtMs(scope, tags, clock.nowMs());
      const erasedEarlier = earlierMs === undefined ? null : new Date(earlierMs).toISOString();
      const { erased, slips } = await eraseNumber(scope, tags, erasureTables, clock, onStep);
      for (const tag of tags)
        await wasApplied(sendDelete(client, remove(tables.apiKeys, numberLimiterKey(scope, tag), PRESENT)));
      const { lookUps, profile } = await inConsole.erase(scope, tags);
      // Proves that the erasure was completed.
      const done = {
        completed: true,
        anonymisedRows: erased,
        withdrawnSlips: slips,
        deletedLookUps: lookUps,
      };
      await recordAlone(client, record(done));
      return { erased, slips, erasedEarlier, lookUps, profile };
    },
  };
}
