import { readFileSync } from 'node:fs';

/** Looks for identities in what functions wrote: as text, JSON, URL encoding, hex and base64. */

export interface Hit {
  /** From 1 on. */
  readonly line: number;
  /** How it was written. The identity itself is not repeated. */
  readonly form: string;
  /** The line's beginning, for finding the place in the code. */
  readonly excerpt: string;
}

/** Reads a file of canaries as test/support/canaries.ts writes it. */
export function readCanaries(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return [...new Set(lines.map((line) => JSON.parse(line) as string))];
}

/** Every place in a log where one of these identities stands, or 11 digits that could be anybody's number. */
export function searchLog(logFile: string, canaries: readonly string[]): Hit[] {
  return searchText(readFileSync(logFile, 'utf8'), canaries);
}

export function searchText(text: string, canaries: readonly string[]): Hit[] {
  const index = new CanaryIndex(canaries);
  return text.split('\n').flatMap((line, place) =>
    [...new Set([...index.find(line), ...elevenDigits(line)])].map((form) => ({
      line: place + 1,
      form,
      excerpt: line.slice(0, 300),
    })),
  );
}

/** A NIN or BVN as it stands: 11 digits that are no part of a longer number, of hex or of an identifier. */
function elevenDigits(line: string): string[] {
  return /(?<![0-9A-Za-z.+_-])[0-9]{11}(?![0-9A-Za-z._-])/.test(line) ? ['11 digits'] : [];
}

const PREFIX = 6;
/** Below this, base64 and hex are too short to mean anything. */
const SHORTEST_ENCODED = 6;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Thousands of canaries against megabytes: long forms are found by their first six characters, short words as words.
 * Case is ignored, since writers change it.
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
    for (const [word] of line.matchAll(WORD)) if (this.#words.has(word)) found.push('a short word');
    for (let at = 0; at + PREFIX <= line.length; at += 1) {
      const candidates = this.#byPrefix.get(line.slice(at, at + PREFIX));
      for (const { text, form } of candidates ?? [])
        if (line.startsWith(text, at) && (/^(hex|base64)/.test(form) || standsAlone(line, at, text)))
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

/** A short canary of letters and digits inside a time stamp or an identifier is no canary. */
function standsAlone(line: string, at: number, text: string): boolean {
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

/** The characters that base64 gives these bytes wherever they stand in a longer text: three alignments. */
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
