/** The commands on a Markdown page, and the responses that it shows for them. */

export interface PageExample {
  readonly command: string;
  /** The response that the page shows, if any. */
  readonly shown?: unknown;
  /** The position of that response on the page. */
  readonly position?: { readonly start: number; readonly end: number };
}

/** A block of commands that calls the service, and the response below it. */
const BLOCK = /```sh\n((?:(?!```)[\s\S])*?curl [\s\S]*?)```(?:\n\n```json\n([\s\S]*?)```)?/g;

export function pageExamples(page: string): PageExample[] {
  return [...page.matchAll(BLOCK)].map(([, command = '', shown]) =>
    shown === undefined ? { command } : { command, shown: JSON.parse(shown) },
  );
}

/** Represents the rest of a string, the other fields of an object or the other elements of an array. */
const MORE = '...';

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Shortens the actual response where the page shortens it, so that a test can compare the two. */
export function shortenLike(shown: unknown, actual: unknown): unknown {
  if (typeof shown === 'string' && shown.endsWith(MORE) && typeof actual === 'string')
    return actual.startsWith(shown.slice(0, -MORE.length)) ? shown : actual;
  if (Array.isArray(shown) && Array.isArray(actual)) {
    const isShortened = shown.at(-1) === MORE && actual.length >= shown.length;
    const compared = isShortened ? actual.slice(0, shown.length - 1) : actual;
    const items = compared.map((item, index) => shortenLike(shown[index], item));
    return isShortened ? [...items, MORE] : items;
  }
  if (!isObject(shown) || !isObject(actual)) return actual;
  const entries = Object.entries(actual)
    .filter(([name]) => name in shown || !(MORE in shown))
    .map(([name, value]) => [name, shortenLike(shown[name], value)]);
  return Object.fromEntries(MORE in shown ? [...entries, [MORE, shown[MORE]]] : entries);
}
