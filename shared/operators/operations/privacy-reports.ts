import type { ApiKey } from '../../accounts/api-key.ts';
import { type ApiKeyTable, apiKeyTable } from '../../accounts/api-key-table.ts';
import { findApiKeys } from '../../accounts/manage-api-key.ts';
import { recordAlone } from '../../audit/audit-table.ts';
import type { IdType } from '../../core/id-types.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import { canonicalNumber, numberFormat } from '../../core/numbers.ts';
import { countImpact, type Impact } from '../../verifications/impact.ts';
import { logReportTable } from '../../verifications/log-report-table.ts';
import type { LogRow } from '../../verifications/log-table.ts';
import { tagsOfAllTypes } from '../../verifications/number-tag.ts';
import type { Workplace } from '../deployment.ts';
import { hashOfText } from './keys.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';
import { type NumberInConsole, numbersInConsole } from './profile-numbers.ts';

interface ImpactQuery {
  /** Its label, the start of its hash, or the key itself; also revoked or expired. */
  readonly key: string;
  /** ISO times: `from` inclusive, `to` exclusive. */
  readonly from: string;
  readonly to: string;
}

export interface PersonExport extends NumberInConsole {
  readonly rows: readonly LogRow[];
  /** Earlier look-ups cannot be found. */
  readonly erasedAtMs: number | undefined;
}

/** Log rows contain only the label, so the report covers all of these keys. */
export interface KeyImpact extends Impact {
  readonly label: string;
  readonly keys: readonly ApiKey[];
}

/** docs/privacy/README.md. Recorded in the audit trail. */
export function privacyReportsOf(place: Workplace) {
  const { deployment, recorder, clock } = place;
  const { client, tables, pepper } = deployment;
  const organisations = organisationsIn(place);
  const keys = apiKeyTable(client, tables.apiKeys);
  const inConsole = numbersInConsole(place);
  const log = logReportTable(client, tables.verificationLogs);
  /** If this fails, the operation throws and returns no data. */
  const record = ({ organisationId }: WalletId, target: string, after: Record<string, unknown>) =>
    recordAlone(client, recorder.record({ organisationId, target, after }));
  return {
    /** Under the current and previous peppers. */
    async exportPerson(scope: WalletId, idType: IdType, text: string): Promise<PersonExport> {
      await requireOrganisation(organisations, scope.organisationId);
      const number = requireNumber(idType, text);
      const tags = tagsOfAllTypes(await pepper(), scope, idType, number);
      const rows = await log.rowsOfNumber(scope, tags, clock.nowMs());
      const { lookUps, profile } = await inConsole.find(scope, tags);
      const erasedAtMs = await log.erasedAtMs(scope, tags, clock.nowMs());
      // The audit trail is kept permanently.
      await record(scope, `${scope.env} log rows about one ${idType}`, {
        rows: rows.length,
        lookUps: lookUps.length,
      });
      return { rows, erasedAtMs, lookUps, profile };
    },
    /** Reads the whole VerificationLogs table. */
    async keyImpact(
      scope: WalletId,
      { key, from, to }: ImpactQuery,
      onScanned?: (rows: number) => void,
    ): Promise<KeyImpact> {
      await requireOrganisation(organisations, scope.organisationId);
      const sameLabel = await keysOfOneLabel(keys, scope, hashOfText(key));
      const { label } = sameLabel[0];
      const labels = labelsOf(sameLabel);
      const impact = await countImpact(log.pagesOfKey(scope, { labels, from, to }, clock.nowMs()), onScanned);
      await record(scope, `${scope.env} look-ups of the key "${label}"`, { from, to, rows: impact.lookUps });
      return { label, keys: sameLabel, ...impact };
    },
  };
}

/** The message does not repeat the text, because terminals keep output. */
export function requireNumber(idType: IdType, text: string): string {
  const number = canonicalNumber(idType, text);
  if (number !== undefined) return number;
  throw notPossible(
    `The file does not contain a valid ${idType}. It must contain ${numberFormat(idType).text}.`,
  );
}

/** Also the labels that the keys had before. */
function labelsOf(keys: readonly ApiKey[]): ReadonlySet<string> {
  return new Set(keys.flatMap(({ label, formerLabels = [] }) => [label, ...formerLabels]));
}

/** Also revoked and expired ones, and those that had the label, or now have an earlier label of the key. */
async function keysOfOneLabel(
  table: ApiKeyTable,
  { env, organisationId }: WalletId,
  name: string,
): Promise<[ApiKey, ...ApiKey[]]> {
  const named = (await findApiKeys(table, organisationId, name)).filter((key) => key.env === env);
  const [label, ...others] = new Set(named.map((key) => key.label));
  if (label === undefined)
    throw notPossible(
      `No ${env} key of organisation ${organisationId} matches. \`key list\` shows labels and hashes.`,
    );
  if (others.length > 0) throw notPossible('Several keys match. Pass more characters of the hash.');
  const labels = labelsOf(named);
  const all = (await table.listApiKeys(organisationId)).filter(
    (key) => key.env === env && !labels.isDisjointFrom(labelsOf([key])),
  );
  return all.sort((a, b) => a.createdAt.localeCompare(b.createdAt)) as [ApiKey, ...ApiKey[]];
}
