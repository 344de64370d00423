import { appendFileSync } from 'node:fs';
import { NUMBER_ALIASES } from '../../shared/verifications/services.ts';

/**
 * Canaries: the identity data of a test run, that is, every identifying field that it sent or received. None may
 * appear in the output of functions (test/security/search-log.ts). They are recorded only if CANARY_FILE names a file.
 */

/** The fields that identify a person or company. A state or a gender alone does not. */
const OTHER_FIELDS =
  'id_number|rcNumber|account_(number|name)|(first|last|middle|other|sur|corporation|company)_?name|name|name_on_card|phone|phone_?number2?|email|companyEmail|birthdate|photo|signature|tracking_id|address1?|residential_address|(headOffice|branch)Address';
const IDENTIFYING_FIELD = new RegExp(`^(${Object.values(NUMBER_ALIASES).join('|')}|${OTHER_FIELDS})$`, 'i');

const recorded = new Set<string>();

export function recordCanaries(value: unknown): void {
  const file = process.env['CANARY_FILE'];
  if (!file) return;
  const added = identifyingTexts(value).filter((text) => !recorded.has(text));
  for (const text of added) recorded.add(text);
  if (added.length > 0) appendFileSync(file, added.map((text) => `${JSON.stringify(text)}\n`).join(''));
}

/** Records are a few levels deep. Some attacks nest more levels than the call stack allows. */
const MAX_DEPTH = 20;

export function identifyingTexts(value: unknown, field = '', depth = 0): string[] {
  if (typeof value === 'string') return IDENTIFYING_FIELD.test(field) && isIdentifying(value) ? [value] : [];
  if (typeof value !== 'object' || value === null || depth === MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((item) => identifyingTexts(item, field, depth + 1));
  return Object.entries(value).flatMap(([name, inner]) => identifyingTexts(inner, name, depth + 1));
}

/** Excludes masked values, and strings so short that any line could contain them. */
function isIdentifying(text: string): boolean {
  return text.length >= 3 && !/^\*+$/.test(text);
}
