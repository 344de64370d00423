import { Argument, InvalidArgumentError, Option } from 'commander';
import { labelProblem } from '../../shared/accounts/key-label.ts';
import { ADDRESS_RULE, isAddressRange } from '../../shared/accounts/key-limits.ts';
import { DAY_MS, HOUR_MS } from '../../shared/core/clock.ts';
import { ENVIRONMENTS } from '../../shared/core/environment.ts';
import { hasLongNumber, textProblem } from '../../shared/core/printable-text.ts';
import {
  LIVE_PROVIDER_NAMES,
  type LiveProviderName,
  SANDBOX,
} from '../../shared/registries/providers/catalogue.ts';
import { KEY_SCOPES } from '../../shared/verifications/key-scopes.ts';
import { amount } from './output.ts';

/** Arguments and options that several commands accept, with their help texts and checks. */

/** An error in the command line. The `admin` CLI then exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const MAX_COUNT = 1_000_000;
const MAX_NAME = 100;
const MAX_REASON = 200;
const UNIT_MS = { h: HOUR_MS, d: DAY_MS } as const;
/** A date alone means midnight UTC. A time needs a time zone. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(T([01]\d|2[0-3]):\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;
const MONTH_NAME = new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' });

export function organisationArgument(): Argument {
  return new Argument('<org>', 'organisation ID, as printed by `org list`').argParser(parseOrganisationId);
}

export function parseOrganisationId(text: string): string {
  if (!/^[0-9A-Za-z]{10}$/.test(text))
    throw new InvalidArgumentError(
      'An organisation ID has 10 letters and digits. `org list` shows the IDs of all organisations.',
    );
  return text;
}

export function nameArgument(): Argument {
  return new Argument('<name>', 'name of the organisation').argParser((text) => {
    const name = parseText('A name', text, MAX_NAME);
    if (name.trim() !== name) throw new InvalidArgumentError('A name must not start or end with a space.');
    return name;
  });
}

/** Accepts the reason for a change. */
export function parseReason(text: string): string {
  return parseText('A reason', text, MAX_REASON);
}

/** Accepts a reference to a person's consent, under the rule that the API applies to `consent`. */
export function parseConsent(text: string): string {
  if (hasLongNumber(text))
    throw new InvalidArgumentError('It must not contain a number of 10 or more digits.');
  return parseText('A consent reference', text, MAX_REASON);
}

function parseText(subject: string, text: string, maxLength: number): string {
  const problem = textProblem(subject, text, maxLength);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return text;
}

/** Accepts a whole number from 1 to `max`. */
export function countArgument(name: string, description: string, max = MAX_COUNT): Argument {
  return new Argument(name, description).argParser((text) => {
    const count = parseWholeNumber(text);
    if (count < 1 || count > max)
      throw new InvalidArgumentError(`It must be a whole number from 1 to ${amount(max)}.`);
    return count;
  });
}

/** Accepts a whole number, even a negative one. The ledger checks the amount. */
export function creditsArgument(description: string): Argument {
  return new Argument('<credits>', description).argParser(parseWholeNumber);
}

export function profileOption(): Option {
  const description = 'version of the profile that you have checked, which `org profile` shows';
  return new Option('--profile <version>', description).argParser(parseWholeNumber);
}

export function keyArgument(): Argument {
  return new Argument(
    '<key>',
    'label of the key, the first 8 or more characters of its hash, or the key itself',
  );
}

export function environmentOption(description: string): Option {
  return new Option('--env <env>', description).choices(ENVIRONMENTS);
}

/** Accepts a live provider. A separate message says why the sandbox is rejected. */
export function providerArgument(description: string): Argument {
  return new Argument('<provider>', description)
    .choices(LIVE_PROVIDER_NAMES)
    .argParser((text): LiveProviderName => {
      const name = LIVE_PROVIDER_NAMES.find((known) => known === text);
      if (name) return name;
      const names = LIVE_PROVIDER_NAMES.join(', ');
      throw new InvalidArgumentError(
        text === SANDBOX.name
          ? `The sandbox belongs to the service and cannot be enabled, disabled or tested. Use one of these providers: ${names}.`
          : `It must be one of these providers: ${names}.`,
      );
    });
}

export function parseLabel(text: string): string {
  const label = text.normalize('NFC');
  const problem = labelProblem(label);
  if (problem) throw new InvalidArgumentError(problem);
  return label;
}

/** Adds a scope to those from earlier options. */
export function addScope(text: string, previous: readonly string[] = []): string[] {
  if (!KEY_SCOPES.includes(text))
    throw new InvalidArgumentError(`It must be one of these scopes: ${KEY_SCOPES.join(', ')}.`);
  return [...new Set([...previous, text])];
}

/** Adds an address or network to those from earlier options. */
export function addAddressRange(text: string, previous: readonly string[] = []): string[] {
  if (!isAddressRange(text)) throw new InvalidArgumentError(ADDRESS_RULE);
  return [...new Set([...previous, text])];
}

/**
 * Converts a date, an ISO time or a duration from now (`12h`, `30d`) to an ISO time in UTC. Throws if it is not in the
 * future.
 */
export function parseExpiry(text: string, nowMs: number = Date.now()): string {
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  const durationMs = unit === 'h' || unit === 'd' ? Number(count) * UNIT_MS[unit] : undefined;
  const timeMs = durationMs === undefined ? isoTimeMs(text) : nowMs + durationMs;
  if (Number.isNaN(timeMs))
    throw new InvalidArgumentError(
      'It must be a time with a time zone (2027-01-31T00:00Z), a date (2027-01-31), a duration (12h, 30d) or never.',
    );
  if (timeMs <= nowMs) throw new InvalidArgumentError('It must be in the future.');
  return new Date(timeMs).toISOString();
}

/** Converts a date or an ISO time to an ISO time in UTC. */
export function parseTime(text: string): string {
  const timeMs = isoTimeMs(text);
  if (Number.isNaN(timeMs))
    throw new InvalidArgumentError(
      'It must be a date (2026-11-30) or a time with a time zone (2026-11-30T12:00Z).',
    );
  return new Date(timeMs).toISOString();
}

/** Throws if the output is requested in two formats. `isJson`: `--json` was passed. */
export function checkFormat(format: string, isJson: boolean): void {
  if (isJson && format === 'csv')
    throw new UsageError('`--json` and `--format csv` cannot be used together. Pass only one of them.');
}

function isoTimeMs(text: string): number {
  const [, date] = ISO_TIME.exec(text) ?? [];
  if (date === undefined) return Number.NaN;
  checkDay(date);
  return Date.parse(text);
}

/** Throws if the month does not have this day, because `Date.parse` would move it into the next month. */
function checkDay(date: string): void {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  if (month < 1 || month > 12) return;
  const lastDay = new Date(Date.UTC(year, month, 0));
  if (day < 1 || day > lastDay.getUTCDate())
    throw new InvalidArgumentError(`There is no ${day} ${MONTH_NAME.format(lastDay)} ${year}.`);
}

function parseWholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text))
    throw new InvalidArgumentError(
      'It must be a whole number of at most 15 digits, without commas or spaces.',
    );
  return Number(text);
}
