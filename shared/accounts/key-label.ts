import { hasLongNumber, isPrintable } from '../core/printable-text.ts';

/** The labels of API keys. The pages of the console use this file, too. */

export const MAX_LABEL_LENGTH = 50;

const LABEL = /^(?!idv_)[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u;
export const LABEL_RULE = `A label must have 1 to ${MAX_LABEL_LENGTH} characters: letters and digits of any script, spaces, dots, underscores and hyphens. It must start with a letter or digit, and must not start with "idv_" or contain a number of 10 or more digits.`;

/**
 * Whether a key may have this label. Labels appear in logs, statements and the audit trail, so a label must not be an API
 * key or contain an identity number.
 */
export function isLabel(text: string): boolean {
  return text.length <= MAX_LABEL_LENGTH && LABEL.test(text) && isPrintable(text) && !hasLongNumber(text);
}
