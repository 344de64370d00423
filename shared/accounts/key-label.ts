import { hasLongNumber, isPrintable, printable } from '../core/printable-text.ts';

/** The labels of API keys. The pages of the console use this file, too. */

export const MAX_LABEL_LENGTH = 50;

/**
 * The key of a row of usage contains the label between number signs, actors such as members have a colon, and emails
 * quote the label.
 */
const WRONG_CHARACTER = /[^\p{L}\p{M}\p{N}\p{P} ]|[#:"]/u;

/**
 * Returns why a key may not have this label, or undefined if it may. Labels appear in logs, statements and the audit
 * trail, so a label must not be an API key or contain an identity number.
 */
export function labelProblem(text: string): string | undefined {
  if (text === '' || text.length > MAX_LABEL_LENGTH)
    return `Enter a label of 1 to ${MAX_LABEL_LENGTH} characters.`;
  const [wrong] = WRONG_CHARACTER.exec(text) ?? [];
  if (wrong !== undefined || !isPrintable(text))
    return `A label must not contain ${wrong ? `the character ${printable(wrong)}` : 'invisible characters'}. It may contain letters, digits, spaces and punctuation of any script, except #, : and double quotes.`;
  if (!/^[\p{L}\p{N}]/u.test(text)) return 'A label must start with a letter or digit.';
  if (text.startsWith('idv_')) return 'A label must not start with "idv_", like an API key.';
  return hasLongNumber(text) ? 'A label must not contain a number of 10 or more digits.' : undefined;
}
