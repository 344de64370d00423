import { type Command, Option } from 'commander';
import type { ApiKey } from '../../../shared/accounts/api-key.ts';
import { SHORT_HASH } from '../../../shared/accounts/api-key-table.ts';
import type { Environment } from '../../../shared/core/environment.ts';
import type { IdType } from '../../../shared/core/id-types.ts';
import type { NumberLookUp } from '../../../shared/members/rows.ts';
import { hashOfText } from '../../../shared/operators/operations/keys.ts';
import type { KeyImpact, PersonExport } from '../../../shared/operators/operations/privacy-reports.ts';
import type { LogRow } from '../../../shared/verifications/log-table.ts';
import { environmentOption, organisationArgument, parseTime, UsageError } from '../arguments.ts';
import { changeContext } from '../command-context.ts';
import { counted, fields, paragraph, table, time } from '../output.ts';
import { idTypeOption, numberFileOption, readNumber } from './privacy-number.ts';

interface ExportOptions {
  readonly env: Environment;
  readonly idType: IdType;
  readonly numberFile: string;
}

/** Adds `privacy export`: what is held about one person. */
export function exportCommand(group: Command): void {
  group
    .command('export')
    .description("List an organisation's rows about one person's number, for an access request")
    .addArgument(organisationArgument())
    .addOption(environmentOption('environment of the log rows').makeOptionMandatory())
    .addOption(idTypeOption())
    .addOption(numberFileOption())
    .action(async (id: string, { env, idType, numberFile }: ExportOptions, command: Command) => {
      const number = readNumber(numberFile, idType);
      const { change, print } = await changeContext(command);
      const input = { organisation: id, env, idType, number };
      const { rows, erasedAtMs, lookUps, profile } = await change('privacy export', input);
      const erasedBefore = erasedAtMs === undefined ? null : new Date(erasedAtMs).toISOString();
      const view = {
        organisation: id,
        env,
        idType,
        erasedBefore,
        rows: rows.map(rowView),
        profileLookUps: lookUps.map(lookUpView),
        profile: profile ? profileView(profile) : null,
      };
      const texts = [...erasureText(erasedBefore), rowsText(rows), ...lookUpsText(lookUps)];
      print(view, [...texts, ...profileText(profile)].join('\n\n'));
    });
}

/** Returns the fields of a look-up for a profile that the person may see on request. */
function lookUpView({ lookedUpAt, result, personId, reason, requestId }: NumberLookUp) {
  return { looked_up_at: lookedUpAt, result, person: personId, reason, request_id: requestId };
}

function lookUpsText(lookUps: readonly NumberLookUp[]): string[] {
  if (lookUps.length === 0) return [];
  const lines = lookUps.map((row) => [
    time(row.lookedUpAt),
    row.result,
    row.personId,
    row.reason,
    row.requestId,
  ]);
  return [table(['LOOK-UP FOR THE PROFILE', 'RESULT', 'PERSON', 'REASON', 'REQUEST'], lines)];
}

type FoundProfile = NonNullable<PersonExport['profile']>;

/** Returns what the profile contains about the number. `number` itself is in the file of the request. */
function profileView({ row, check }: FoundProfile) {
  return {
    version: row.version,
    submitted_at: row.submittedAt ?? null,
    expires_at: row.expiresAt === undefined ? null : new Date(row.expiresAt * 1000).toISOString(),
    result: check?.result ?? null,
    registered_name: check?.name ?? null,
  };
}

function profileText(profile: FoundProfile | undefined): string[] {
  if (!profile) return [];
  const { version, submitted_at, expires_at, result, registered_name } = profileView(profile);
  return [
    fields({
      'profile with the number': `version ${version}`,
      submitted: submitted_at === null ? 'no' : time(submitted_at),
      expires: expires_at === null ? 'no' : time(expires_at),
      'look-up': result ?? 'none',
      'registered name': registered_name ?? 'not stored',
    }),
  ];
}

function erasureText(erasedBefore: string | null): string[] {
  if (erasedBefore === null) return [];
  const text = `Look-ups of this number before ${time(erasedBefore)} were erased. Their log rows cannot be found by the number.`;
  return [paragraph(text)];
}

/** Returns the providers that were called with the number, in order. The row of an interrupted look-up has none. */
function providersOf({ failedProviders = [], provider }: LogRow): string[] {
  return [...new Set([...failedProviders, provider])].filter((name) => name !== '');
}

/** Returns the fields of a log row that the person may see on request. */
function rowView(row: LogRow) {
  return {
    requested_at: row.requestedAt,
    service: row.service,
    outcome: row.outcome,
    providers: providersOf(row),
    credits_charged: row.creditsCharged,
    is_replay: row.replayOf !== undefined,
    key_label: row.keyLabel,
    request_id: row.requestId,
    consent: row.consent ?? null,
    reason: row.reason ?? null,
    reference: row.reference ?? null,
  };
}

function rowsText(rows: readonly LogRow[]): string {
  if (rows.length === 0) return 'There are no log rows about this number.';
  const head = [
    'TIME',
    'SERVICE',
    'OUTCOME',
    'PROVIDERS',
    'CREDITS',
    'REPLAY',
    'KEY',
    'REQUEST',
    'CONSENT',
    'REASON',
    'REFERENCE',
  ];
  const lines = rows.map((row) => [
    time(row.requestedAt),
    row.service,
    row.outcome,
    providersOf(row).join(', '),
    row.creditsCharged,
    row.replayOf === undefined ? '' : 'yes',
    row.keyLabel,
    row.requestId,
    row.consent ?? '',
    row.reason ?? '',
    row.reference ?? '',
  ]);
  return table(head, lines);
}

interface ImpactOptions {
  readonly env: Environment;
  readonly key: string;
  readonly from: string;
  readonly to?: string;
}

/** Adds `privacy impact`: what was looked up with a key, for a breach report. */
export function impactCommand(group: Command): void {
  group
    .command('impact')
    .description('Count what was looked up with a key in a period, for a breach report')
    .addArgument(organisationArgument())
    .addOption(environmentOption('environment of the key').makeOptionMandatory())
    .addOption(
      new Option(
        '--key <key>',
        'label of the key, the first 8 or more characters of its hash, or the key itself; revoked and expired keys are included',
      ).makeOptionMandatory(),
    )
    .requiredOption(
      '--from <time>',
      'start of the period, inclusive, for example 2026-11-01, which is midnight UTC',
      parseTime,
    )
    .option('--to <time>', 'end of the period, exclusive (default and latest: now)', parseTime)
    .action(async (id: string, { env, key, from, ...options }: ImpactOptions, command: Command) => {
      const { change, print, progress, clock } = await changeContext(command);
      const now = new Date(clock.nowMs()).toISOString();
      const to = options.to !== undefined && options.to < now ? options.to : now;
      if (from > to) throw new UsageError('`--from` must not be later than `--to` or in the future.');
      const input = { organisation: id, env, key: hashOfText(key), from, to };
      const impact = await change('privacy impact', input, (read) => {
        const { rows } = read as { rows: number };
        progress(`Read ${counted(rows, 'log row')} of all organisations`);
      });
      const { keys, ...counts } = impact;
      const view = { organisation: id, env, from, to, keys: keys.map(keyView), ...counts };
      print(view, impactText(impact, { env, from, to }));
    });
}

function keyView({ hash, status, lastFour, createdAt, notAfter }: ApiKey) {
  return { hash, status, lastFour, createdAt, ...(notAfter && { notAfter }) };
}

function impactText(
  impact: KeyImpact,
  { env, from, to }: { readonly env: string; readonly from: string; readonly to: string },
): string {
  const { label, keys, lookUps, found, replays, creditsCharged, numbers, numbersFound, erased } = impact;
  const share = (title: string, shares: Impact) =>
    table(
      [title, 'LOOK-UPS', 'FOUND'],
      shares.map((one) => [one.name, one.lookUps, one.found]),
    );
  const sections = [
    fields({
      key: `${label} (${env})`,
      from: time(from),
      to: time(to),
      'look-ups': lookUps,
      'of these found': found,
      'free replays': replays,
      credits: creditsCharged,
      'different numbers': numbers,
      'numbers found': numbersFound,
      'erased look-ups': erased,
    }),
  ];
  if (keys.length > 1)
    sections.push(
      paragraph(
        `${counted(keys.length, 'key')} have this label, and log rows contain only the label. The report covers all of them: ${keys.map(describe).join(', ')}.`,
      ),
    );
  if (lookUps > 0)
    sections.push(
      share('SERVICE', impact.services),
      share('OUTCOME', impact.outcomes),
      share('DAY (UTC)', impact.days),
    );
  return sections.join('\n\n');
}

type Impact = KeyImpact['services'];

function describe({ hash, createdAt }: ApiKey): string {
  return `${hash.slice(0, SHORT_HASH)} (created ${createdAt.slice(0, 10)})`;
}
