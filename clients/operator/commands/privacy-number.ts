import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import { canonicalNumber, numberFormat } from '../../../shared/core/numbers.ts';
import { UsageError } from '../arguments.ts';

/** The options that select one person's number. */

export function idTypeOption(): Option {
  return new Option('--id-type <type>', 'ID type of the number').choices([...ID_TYPES]).makeOptionMandatory();
}

export function numberFileOption(): Option {
  return new Option(
    '--number-file <file>',
    'file that contains only the number, so that the shell history does not keep the number',
  ).makeOptionMandatory();
}

/** Reads a number of this type from the file. Errors never contain the number. */
export function readNumber(file: string, idType: IdType): string {
  const bytes = readFile(file);
  // In UTF-16, each digit contains a zero byte.
  if (bytes.includes(0)) throw new UsageError(`The file ${file} is not in UTF-8. Save the file as UTF-8.`);
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r?\n$/, '');
  if (canonicalNumber(idType, text) === undefined)
    throw new UsageError(
      `The file does not contain a valid ${idType}. It must contain ${numberFormat(idType).text}.`,
    );
  return text;
}

function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    throw new UsageError(`The file ${file} cannot be read.`);
  }
}
