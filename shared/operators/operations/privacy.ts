import type { Change } from '../../audit/audit-entry.ts';
import { recordAlone } from '../../audit/audit-table.ts';
import type { IdType } from '../../core/id-types.ts';
import type { WalletId } from '../../core/keys.ts';
import { type ErasureStep, eraseNumber } from '../../ledger/erase.ts';
import { idempotencyTable } from '../../ledger/tables/idempotency-table.ts';
import { erasureTable } from '../../verifications/erasure-table.ts';
import { logReportTable } from '../../verifications/log-report-table.ts';
import { numberTags, pepperVersion } from '../../verifications/number-tag.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';
import { requireNumber } from './privacy-reports.ts';
import { type ErasedNumber, numbersInConsole } from './profile-numbers.ts';

export interface Erasure extends ErasedNumber {
  /** The number of log rows that this run anonymised. */
  readonly erased: number;
  /** The time up to which an earlier run, perhaps an interrupted one, erased the number. Null if there was none. */
  readonly erasedEarlier: string | null;
}

/** Operations that data protection law requires (docs/privacy/README.md). */
export function privacyOf(place: Workplace) {
  const { deployment, recorder, clock } = place;
  const { client, tables, pepper, logRetentionDays } = deployment;
  const organisations = organisationsIn(place);
  const inConsole = numbersInConsole(place);
  return {
    /**
     * Returns the number tags of one person's number in one organisation, under the current and previous peppers.
     * Throws if the text is not a number of the type.
     */
    async tagsOf(scope: WalletId, idType: IdType, text: string): Promise<string[]> {
      await requireOrganisation(organisations, scope.organisationId);
      const number = requireNumber(idType, text);
      return [...numberTags(await pepper(), scope, idType, number)];
    },
    /**
     * Anonymises all log rows with these number tags, and erases the number from Console. Takes about a minute, because
     * it waits for requests in progress. The log rows remain for accounting. Running it again is harmless, and
     * completes a run that was interrupted. Throws if the pepper has been rotated since the tags were made, because newer rows would not be found.
     */
    async eraseTags(
      scope: WalletId,
      idType: IdType,
      tags: readonly string[],
      onStep?: (step: ErasureStep) => void,
    ): Promise<Erasure> {
      const [anyTag] = numberTags(await pepper(), scope, idType, '');
      if (!tags.some((tag) => pepperVersion(tag) === pepperVersion(anyTag)))
        throw new Error(
          'The pepper has been rotated since this erasure was requested. Nothing was erased. Request the erasure again.',
        );
      const { env, organisationId } = scope;
      // Contains neither the number nor its tag, because the audit trail is kept permanently.
      const target = `${env} log rows about one ${idType}`;
      const record = (after: Change['after']) => recorder.record({ organisationId, target, after });
      const erasureTables = {
        erasures: erasureTable(client, tables.verificationLogs, logRetentionDays, () =>
          record({ erased: true }),
        ),
        idempotency: idempotencyTable(client, tables.wallets),
      };
      const log = logReportTable(client, tables.verificationLogs);
      const earlierMs = await log.erasedAtMs(scope, tags, clock.nowMs());
      const erasedEarlier = earlierMs === undefined ? null : new Date(earlierMs).toISOString();
      const { erased } = await eraseNumber(scope, tags, erasureTables, clock, onStep);
      const { lookUps, profile } = await inConsole.erase(scope, idType, tags);
      // Proves that the erasure was completed.
      const done = { completed: true, anonymisedRows: erased, deletedLookUps: lookUps };
      await recordAlone(client, record(done));
      return { erased, erasedEarlier, lookUps, profile };
    },
  };
}
