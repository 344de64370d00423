import type { OrganisationTable } from '../../../shared/accounts/organisation-table.ts';
import { type IdType, numberFormat } from '../../../shared/core/id-types.ts';
import type { WalletId } from '../../../shared/core/keys.ts';
import type { Secret } from '../../../shared/core/secrets.ts';
import { numberTags } from '../../../shared/verifications/number-tag.ts';
import type { LogRows } from '../log-rows.ts';
import { requireOrganisation } from './organisations.ts';

/** What the law on data protection asks of an operator (docs/data-protection.md). */
export function privacyOperations(
  organisations: OrganisationTable,
  logs: LogRows,
  pepper: () => Promise<Secret>,
) {
  return {
    /**
     * Cuts every tie between one person's number and an organisation's log rows, under the current pepper and the one
     * before it. The rows stay for the books, about nobody. Running it again is harmless.
     */
    async erasePerson(scope: WalletId, idType: IdType, number: string): Promise<{ erased: number }> {
      await requireOrganisation(organisations, scope.organisationId);
      const format = numberFormat(idType, true);
      // The number itself is not repeated: it would stand in the terminal's history.
      if (!format.pattern.test(number))
        throw new Error(`The file holds no ${idType} number: ${format.words}.`);
      let erased = 0;
      for (const numberTag of numberTags(await pepper(), scope, idType, number)) {
        for (const row of await logs.rowsOf(scope, numberTag)) {
          await logs.anonymise(scope, row);
          erased += 1;
        }
      }
      return { erased };
    },
  };
}
