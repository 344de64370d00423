import { readFileSync } from 'node:fs';
import { Option } from 'commander';
import { ID_TYPES } from '../../../shared/core/id-types.ts';

/** The options that name one person's number. */

export function idTypeOption(): Option {
  return new Option('--id-type <type>', 'ID type of the number').choices([...ID_TYPES]).makeOptionMandatory();
}

export function numberFileOption(): Option {
  return new Option(
    '--number-file <file>',
    'file that contains only the number, so that the shell history does not keep the number',
  ).makeOptionMandatory();
}

/** Reads the number without its line break. Errors never contain the number. */
export function readNumber(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    throw new Error(`The file ${file} cannot be read.`);
  }
}
