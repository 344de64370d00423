import { CATALOGUE, type CatalogueEntry, type ErrorCode, RETRY_BY_REASON } from '../../shared/core/errors.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { SHORT_ENVELOPES, successCode } from './schemas.ts';

/** Generates the table of all codes in docs/guides/errors.md from the error catalogue. `npm run openapi` writes it. */

const CHARGED = { no: 'no', unknown: 'perhaps' } as const;
const RETRY = { no: 'no', once: 'once, after a pause', later: 'yes, after `Retry-After`' } as const;

/**
 * Returns the codes that share a row with this code. Codes that differ only by their ID type share the row of the first
 * ID type. For codes of the other ID types, returns an empty list.
 */
function rowCodes(code: ErrorCode): readonly string[] {
  const [first, ...others] = ID_TYPES;
  if (others.some((idType) => code.startsWith(`${idType}_`))) return [];
  return code.startsWith(`${first}_`) ? ID_TYPES.map((idType) => code.replace(first, idType)) : [code];
}

/** With an anchor, to which the console links. */
const codeText = (code: string) => `<a id="${code}"></a>\`${code}\``;

function retriesByReason(code: ErrorCode): string[] {
  return Object.entries(RETRY_BY_REASON[code] ?? {}).map(
    ([reason, retry]) => `\`${reason}\`: ${RETRY[retry]}`,
  );
}

function row([code, { status, message, retry, charged }]: [ErrorCode, CatalogueEntry]): string[] {
  const names = rowCodes(code);
  if (names.length === 0) return [];
  const codes = names.map(codeText).join(' ');
  const retries = [RETRY[retry], ...names.flatMap((name) => retriesByReason(name as ErrorCode))].join('; ');
  return [`| ${status} | ${codes} | ${CHARGED[charged]} | ${retries} | ${message} |`];
}

function successRows(): string[] {
  const found = ID_TYPES.map((idType) => codeText(successCode(idType))).join(' ');
  const read = new Set(Object.values(SHORT_ENVELOPES).map(({ code }) => codeText(code)));
  return [
    `| 200 | ${found} | yes, once | no | The record was found. A free replay has the same code. |`,
    `| 200 | ${[...read].join(' ')} | no | no | The free routes. |`,
  ];
}

export function codeTable(): string {
  const entries = Object.entries(CATALOGUE) as [ErrorCode, CatalogueEntry][];
  const rows = entries.sort(([, a], [, b]) => a.status - b.status).flatMap(row);
  const head = ['| HTTP | Code | Charged? | Retry? | Message |', '|---|---|---|---|---|'];
  return `${[...head, ...successRows(), ...rows].join('\n')}\n`;
}

/** Returns the page with a table between its markers. Throws if the page lacks one of the markers. */
export function withTable(page: string, name: string, table: string): string {
  const opening = `<!-- ${name}: written by npm run openapi -->\n`;
  const closing = `<!-- /${name} -->`;
  const begin = page.indexOf(opening);
  const end = page.indexOf(closing);
  if (begin < 0 || end < begin) throw new Error(`The page must contain ${opening.trim()} and ${closing}.`);
  return page.slice(0, begin + opening.length) + table + page.slice(end);
}
