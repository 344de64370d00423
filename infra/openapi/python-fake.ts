import { CATALOGUE } from '../../shared/core/errors.ts';
import {
  ESCAPE,
  isPrintable,
  LONG_NUMBER,
  plainDigits,
  SET_ASIDE,
} from '../../shared/core/printable-text.ts';
import { BANKS } from '../../shared/registries/mapping/banks.ts';
import { CULTURES, NAMES } from '../../shared/registries/sandbox/names.ts';
import { PREFIXES } from '../../shared/registries/sandbox/person.ts';
import { SIMULATED_ENDINGS } from '../../shared/registries/sandbox/protocol.ts';
import { STREETS, TOWNS } from '../../shared/registries/sandbox/towns.ts';
import { SAMPLE_DATA } from '../../shared/webhooks/event-sample.ts';
import { local } from '../stages/local.ts';

/**
 * Returns the text of the Python client's _service_data.json: what its fake knows of the service and the sandbox. The
 * TypeScript client's fake contains their code.
 */
export function pythonFakeData(): string {
  const errors = Object.entries(CATALOGUE).map(([code, { status, message, details }]) => [
    code,
    { status, message, ...(details && { error: details }) },
  ]);
  const banks = BANKS.map(({ name, shortName, kind, cbnCode, nipCode, providerCodes }) => ({
    ...{ name, short_name: shortName, kind },
    ...{ cbn_code: cbnCode, nip_code: nipCode, provider_codes: providerCodes },
  }));
  const people = CULTURES.map((culture) => ({ ...NAMES[culture], towns: TOWNS[culture] }));
  const data = {
    errors: Object.fromEntries(errors),
    endings: Object.fromEntries(Object.entries(SIMULATED_ENDINGS).map(([code, ending]) => [ending, code])),
    credits: [local.money?.leastCredits, local.money?.mostCredits],
    people,
    streets: STREETS,
    prefixes: PREFIXES,
    events: SAMPLE_DATA,
    text: textRules(),
    banks,
  };
  const lines = Object.entries(data).map(([name, value]) => `${JSON.stringify(name)}: ${linesOf(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** What the service rejects in text, as the patterns of Python's `re`. The rest of the rules is in _fake_checks.py. */
function textRules(): Readonly<Record<string, string | Readonly<Record<string, string>>>> {
  const characters = Array.from({ length: LAST_CHARACTER + 1 }, (_, code) => String.fromCodePoint(code));
  const isUnprintable = (character: string) => !isPrintable(`a${character}`);
  return {
    escape: pythonPattern(ESCAPE),
    long_number: pythonPattern(LONG_NUMBER),
    set_aside: pythonPattern(SET_ASIDE),
    unprintable: pythonClass(characters.map(isUnprintable)),
    // Marks that must follow a visible character.
    invisible_marks: pythonClass(characters.map((one) => !isUnprintable(one) && !isPrintable(one))),
    // Digits that NFKD keeps.
    digits: Object.fromEntries(
      characters
        .filter((one) => /^[0-9]$/.test(plainDigits(one)) && !/^[0-9]/.test(one.normalize('NFKD')))
        .map((one) => [one, plainDigits(one)]),
    ),
  };
}

const LAST_CHARACTER = 0x10ffff;

/** What Python writes differently. Its `\d` is each decimal digit of Unicode. */
const PYTHON_CLASSES: Readonly<Record<string, string>> = {
  '[\\p{L}\\p{N}]': '[^\\W_]',
  '[^\\p{L}\\p{N}]': '[\\W_]',
  '[\\p{L}-]': '(?:[^\\W\\d_]|-)',
  '\\p{Nd}': '\\d',
  '\\d': '[0-9]',
};

function pythonPattern({ source }: RegExp): string {
  return source.replace(/\[\^?\\p[^\]]*\]|\\(?:d|p\{\w+\})/g, (ours) => {
    const python = PYTHON_CLASSES[ours];
    if (python === undefined) throw new Error(`Python has no class ${ours}.`);
    return python;
  });
}

/** Returns the class of the characters whose flag is set, in ASCII. */
function pythonClass(flags: readonly boolean[]): string {
  const escaped = (code: number) => `\\U${code.toString(16).padStart(8, '0')}`;
  const starts = flags.flatMap((flag, code) => (flag && !flags[code - 1] ? [code] : []));
  const ranges = starts.map((start) => {
    const end = flags.indexOf(false, start);
    return `${escaped(start)}-${escaped((end === -1 ? flags.length : end) - 1)}`;
  });
  return `[${ranges.join('')}]`;
}

/** One line for each entry, so that a difference shows what changed. */
function linesOf(value: object): string {
  const entries = Object.entries(value).map(([name, one]) =>
    Array.isArray(value) ? JSON.stringify(one) : `${JSON.stringify(name)}: ${JSON.stringify(one)}`,
  );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${entries.join(',\n')}\n${close}`;
}
