import { appendFileSync } from 'node:fs';

/**
 * What a test run saw of identities: every number that it sent and every telling field that came back. None of it may
 * stand in what the functions write (test/security/search-log.ts). Kept only where CANARY_FILE names a file.
 */

/** The fields that tell who somebody is; a state or a gender alone does not. */
const TELLING =
  /^(id_number|nin|bvn|tin|nuban|rc_?number|account_(number|name)|(first|last|middle|other|sur|corporation|company)_?name|name|name_on_card|phone|phone_?number2?|email|companyEmail|birthdate|photo|signature|tracking_id|address1?|residential_address|(headOffice|branch)Address)$/i;

const noted = new Set<string>();

/** Notes the telling texts in anything that was sent or received. */
export function noteCanaries(value: unknown): void {
  const file = process.env['CANARY_FILE'];
  if (!file) return;
  const fresh = tellingTexts(value).filter((text) => !noted.has(text));
  for (const text of fresh) noted.add(text);
  if (fresh.length > 0) appendFileSync(file, fresh.map((text) => `${JSON.stringify(text)}\n`).join(''));
}

/** Records are a few levels deep; what attacks send is deeper than a call stack. */
const DEEPEST = 20;

/** The telling texts of a record. */
export function tellingTexts(value: unknown, field = '', depth = 0): string[] {
  if (typeof value === 'string') return TELLING.test(field) && isTelling(value) ? [value] : [];
  if (typeof value !== 'object' || value === null || depth === DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item) => tellingTexts(item, field, depth + 1));
  return Object.entries(value).flatMap(([name, inner]) => tellingTexts(inner, name, depth + 1));
}

/** Masks and texts so short that they stand in any line say nothing. */
function isTelling(text: string): boolean {
  return text.length >= 3 && !/^\*+$/.test(text);
}
