/** The labels of API keys. This file imports nothing, because the pages of the console use it, too. */

export const MAX_LABEL_LENGTH = 50;

const LABEL = /^(?!idv_)[A-Za-z0-9][A-Za-z0-9 ._-]*$/;
export const LABEL_RULE = `A label must have 1 to ${MAX_LABEL_LENGTH} characters: letters, digits, spaces, dots, underscores and hyphens. It must start with a letter or digit, and must not start with "idv_".`;

/** Whether a key may have this label. Labels appear in logs and statements, so a label must not be an API key. */
export function isLabel(text: string): boolean {
  return text.length <= MAX_LABEL_LENGTH && LABEL.test(text);
}
