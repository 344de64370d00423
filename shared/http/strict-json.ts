import { visit } from 'jsonc-parser';
import { ServiceError } from '../core/errors.ts';

const POISONOUS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses UTF-8 JSON. Throws INVALID_SCHEMA for broken JSON, invalid UTF-8, a name that stands twice in one object
 * (parsers disagree on which counts), and names that reach an object's prototype. The caller has limited the size.
 */
export function parseJsonStrictly(bytes: Uint8Array): unknown {
  let json: unknown;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    json = JSON.parse(text);
  } catch {
    throw new ServiceError('INVALID_SCHEMA', { message: 'The body is not valid JSON in UTF-8.' });
  }
  refuseNames(text);
  return json;
}

function refuseNames(text: string): void {
  const open: Set<string>[] = [];
  let problem: string | undefined;
  visit(text, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (name) => {
      const names = open.at(-1);
      if (POISONOUS.has(name)) problem = 'The body has a field that is not documented.';
      else if (names?.has(name)) problem = 'The body has the same field twice.';
      names?.add(name);
    },
  });
  if (problem) throw new ServiceError('INVALID_SCHEMA', { message: problem });
}
