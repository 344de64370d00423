import { hasLongNumber } from '../core/printable-text.ts';

/** The labels of API keys. The pages of the console use this file, too. */

export const MAX_LABEL_LENGTH = 50;

const LABEL = /^(?!idv_)[A-Za-z0-9][A-Za-z0-9 ._-]*$/;
export const LABEL_RULE = `A label must have 1 to ${MAX_LABEL_LENGTH} characters: letters, digits, spaces, dots, underscores and hyphens. It must start with a letter or digit, and must not start with "idv_" or contain a number of 10 or more digits.`;

/**
 * Whether a key may have this label. Labels appear in logs, statements and the audit trail, so a label must not be an API
 * key or contain an identity number.
 */
export function isLabel(text: string): boolean {
  return text.length <= MAX_LABEL_LENGTH && LABEL.test(text) && !hasLongNumber(text);
}
