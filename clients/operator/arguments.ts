import { Argument, InvalidArgumentError, Option } from 'commander';
import { isAddressRange, READ_SCOPES } from '../../shared/accounts/key-limits.ts';
import { ENVIRONMENTS } from '../../shared/core/environment.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';

/** What the commands take, each with its words for the help and its check. */

const LARGEST_NUMBER = 1_000_000;
const UNIT_MS = { h: 3_600_000, d: 86_400_000 } as const;
/** A date alone is midnight in UTC; a time needs its zone. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

export function organisationArgument(): Argument {
  return new Argument('<org>', 'organisation id').argParser(parseOrganisationId);
}

export function parseOrganisationId(text: string): string {
  if (!/^[0-9A-Za-z]{10}$/.test(text)) throw new InvalidArgumentError('It has 10 letters and digits.');
  return text;
}

export function nameArgument(): Argument {
  return new Argument('<name>', 'name of the organisation').argParser((text) => {
    if (!/^[^\p{C}]{1,100}$/u.test(text) || text.trim() !== text)
      throw new InvalidArgumentError('It has 1 to 100 characters, none of them invisible.');
    return text;
  });
}

/** A whole number from 1 on. */
export function countArgument(name: string, description: string): Argument {
  return new Argument(name, description).argParser((text) => {
    const count = wholeNumber(text);
    if (count < 1 || count > LARGEST_NUMBER)
      throw new InvalidArgumentError(`It is a whole number from 1 to ${LARGEST_NUMBER}.`);
    return count;
  });
}

/** Whole credits; the ledger's own rules say which amounts are good. */
export function creditsArgument(description: string): Argument {
  return new Argument('<credits>', description).argParser(wholeNumber);
}

export function keyArgument(): Argument {
  return new Argument('<key>', 'its label, the first 8 or more characters of its hash, or the key itself');
}

export function environmentOption(description: string): Option {
  return new Option('--env <env>', description).choices(ENVIRONMENTS);
}

/** A label stands in logs and statements in the key's place: it must be harmless there, and no key itself. */
export function parseLabel(text: string): string {
  if (!/^(?!idv_)[A-Za-z0-9][A-Za-z0-9 ._-]{0,49}$/.test(text))
    throw new InvalidArgumentError('It has 1 to 50 letters, digits, spaces and . _ -');
  return text;
}

const SCOPES: readonly string[] = [
  ...READ_SCOPES,
  'verify:*',
  ...SERVICE_NAMES.filter((name) => name !== 'nin-slip').map((name) => `verify:${name}`),
];

/** One more of the things that a key may do. */
export function addScope(text: string, before: readonly string[] = []): string[] {
  if (!SCOPES.includes(text)) throw new InvalidArgumentError(`The scopes are ${SCOPES.join(', ')}.`);
  return [...new Set([...before, text])];
}

/** One more address or network that a key may be used from. */
export function addAddressRange(text: string, before: readonly string[] = []): string[] {
  if (!isAddressRange(text))
    throw new InvalidArgumentError(
      'It is an address or a network: 203.0.113.7, 203.0.113.0/24, 2001:db8::/32.',
    );
  return [...new Set([...before, text])];
}

/** An ISO time, or a span from now on (`12h`, `30d`), as an ISO time in UTC. */
export function parseExpiry(text: string, nowMs: number = Date.now()): string {
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(text) ?? [];
  const span = unit === 'h' || unit === 'd' ? Number(count) * UNIT_MS[unit] : undefined;
  const timeMs = span === undefined ? isoTimeMs(text) : nowMs + span;
  if (Number.isNaN(timeMs))
    throw new InvalidArgumentError('It is a time (2027-01-31T00:00Z) or a span (12h, 30d).');
  if (timeMs <= nowMs) throw new InvalidArgumentError('It lies in the past.');
  return new Date(timeMs).toISOString();
}

/** An ISO time in UTC. */
export function parseTime(text: string): string {
  const timeMs = isoTimeMs(text);
  if (Number.isNaN(timeMs))
    throw new InvalidArgumentError('It is a day (2026-11-30) or a time with its zone.');
  return new Date(timeMs).toISOString();
}

function isoTimeMs(text: string): number {
  return ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
}

function wholeNumber(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
}
