import { readFileSync } from 'node:fs';

/** Searches logs for identity data as text, JSON, URL encoding, hex and base64. */

export interface Hit {
  /** Counted from 1. */
  readonly line: number;
  /** The form in which the identity data was found. The data itself is not repeated. */
  readonly form: string;
  /** The beginning of the line, which helps to find the code that wrote it. */
  readonly excerpt: string;
}

export function readCanaries(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return [...new Set(lines.map((line) => JSON.parse(line) as string))];
}

/** Finds these canaries in a log file, and the lines with 11 digits, which could be an identity number. */
export function searchLog(logFile: string, canaries: readonly string[]): Hit[] {
  return searchText(readFileSync(logFile, 'utf8'), canaries);
}

export function searchText(text: string, canaries: readonly string[]): Hit[] {
  const canaryIndex = new CanaryIndex(canaries);
  return text.split('\n').flatMap((line, index) =>
    [...new Set([...canaryIndex.find(line), ...elevenDigits(line)])].map((form) => ({
      line: index + 1,
      form,
      excerpt: line.slice(0, 300),
    })),
  );
}

/** Finds a possible NIN or BVN: 11 digits that are not part of a longer number, of hex or of an identifier. */
function elevenDigits(line: string): string[] {
  return /(?<![0-9A-Za-z.+_-])[0-9]{11}(?![0-9A-Za-z._-])/.test(line) ? ['11 digits'] : [];
}

const PREFIX = 6;
/** Shorter strings are too common in base64 and hex to prove anything. */
const SHORTEST_ENCODED = 6;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Searches megabytes of text for thousands of canaries. Long forms are indexed by their first six characters, and short
 * ones are compared with whole words. Ignores case, because code that writes logs may change it.
 */
class CanaryIndex {
  readonly #byPrefix = new Map<string, { readonly text: string; readonly form: string }[]>();
  readonly #words = new Set<string>();

  constructor(canaries: readonly string[]) {
    for (const canary of canaries) {
      for (const [form, text] of formsOf(canary)) this.#add(form, text.toLowerCase());
    }
  }

  find(original: string): string[] {
    const line = original.toLowerCase();
    const found: string[] = [];
    for (const [word] of line.matchAll(WORDS)) if (this.#words.has(word)) found.push('a short word');
    for (let at = 0; at + PREFIX <= line.length; at += 1) {
      const candidates = this.#byPrefix.get(line.slice(at, at + PREFIX));
      for (const { text, form } of candidates ?? [])
        if (line.startsWith(text, at) && (/^(hex|base64)/.test(form) || isWholeWord(line, at, text)))
          found.push(form);
    }
    return found;
  }

  #add(form: string, text: string): void {
    if (text.length < PREFIX) this.#words.add(text);
    else
      this.#byPrefix.set(text.slice(0, PREFIX), [
        ...(this.#byPrefix.get(text.slice(0, PREFIX)) ?? []),
        { text, form },
      ]);
  }
}

/** Returns false for a short canary inside a timestamp or an identifier, where it is a coincidence. */
function isWholeWord(line: string, at: number, text: string): boolean {
  if (!/^[0-9a-z-]{1,16}$/.test(text)) return true;
  return !/[0-9a-z]/.test(line[at - 1] ?? '') && !/[0-9a-z]/.test(line[at + text.length] ?? '');
}

function formsOf(canary: string): [string, string][] {
  const json = JSON.stringify(canary).slice(1, -1);
  const ascii = json.replaceAll(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const plain: [string, string][] = [
    ['text', canary],
    ['JSON', json],
    ['JSON in ASCII', ascii],
    ['URL', encodeURIComponent(canary.toWellFormed())],
  ];
  const bytes = Buffer.from(canary);
  const encoded: [string, string][] = [['hex', bytes.toString('hex')], ...base64Forms(bytes)];
  const all = bytes.length < SHORTEST_ENCODED ? plain : [...plain, ...encoded];
  return [...new Map(all.map(([form, text]) => [text, [form, text] as [string, string]])).values()];
}

/** Returns the base64 characters of these bytes at each of the three possible alignments in a longer text. */
function base64Forms(bytes: Buffer): [string, string][] {
  return [0, 1, 2].flatMap((offset): [string, string][] => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const first = [0, 2, 3][offset] ?? 0;
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const inner = text.slice(first, last);
    return [
      ['base64', inner],
      ['base64url', inner.replaceAll('+', '-').replaceAll('/', '_')],
    ];
  });
}
