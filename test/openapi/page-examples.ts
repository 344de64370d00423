/** The commands of a Markdown page and the answers that it shows for them. */

export interface PageExample {
  readonly command: string;
  /** What the page shows as the answer; undefined where it shows none. */
  readonly shown?: unknown;
  /** Where the shown text stands in the page. */
  readonly place?: { readonly start: number; readonly end: number };
}

const BLOCK = /```sh\n(curl [\s\S]*?)```(?:\n\n```json\n([\s\S]*?)```)?/dg;

export function pageExamples(page: string): PageExample[] {
  return [...page.matchAll(BLOCK)].map((match) => {
    const [, command = '', shown] = match;
    const [start = 0, end = 0] = match.indices?.[2] ?? [];
    return shown === undefined ? { command } : { command, shown: JSON.parse(shown), place: { start, end } };
  });
}

/** More of the same: a string's rest, an object's other fields, an array's other elements. */
const MORE = '...';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The actual answer cut to what the page shows of it; `toEqual` with `shown` tells whether the page is right. */
export function cutTo(shown: unknown, actual: unknown): unknown {
  if (typeof shown === 'string' && shown.endsWith(MORE) && typeof actual === 'string')
    return actual.startsWith(shown.slice(0, -MORE.length)) ? shown : actual;
  if (Array.isArray(shown) && Array.isArray(actual)) {
    const isCut = shown.at(-1) === MORE && actual.length >= shown.length;
    const compared = isCut ? actual.slice(0, shown.length - 1) : actual;
    const items = compared.map((item, index) => cutTo(shown[index], item));
    return isCut ? [...items, MORE] : items;
  }
  if (!isObject(shown) || !isObject(actual)) return actual;
  const entries = Object.entries(actual)
    .filter(([name]) => name in shown || !(MORE in shown))
    .map(([name, value]) => [name, cutTo(shown[name], value)]);
  return Object.fromEntries(MORE in shown ? [...entries, [MORE, shown[MORE]]] : entries);
}
