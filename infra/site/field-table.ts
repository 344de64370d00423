import { type ApiDocument, type Reference, resolve, type Schema } from './document.ts';
import { escaped } from './markdown.ts';

/** Tables of the fields of a schema, as Markdown. */

interface Row {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/**
 * Returns a table with one row for each field. Fields of nested objects have names such as `residence.town`, and fields
 * of objects in lists have names such as `directors[].surname`.
 */
export function fieldTable(document: ApiDocument, schema: Schema | Reference): string {
  const rows = fieldsOf(document, schema, '');
  return table(
    ['Field', 'Type', 'Description'],
    rows.map(({ name, type, isRequired, description }) => [
      `\`${name}\``,
      isRequired ? type : `${type}, optional`,
      description,
    ]),
  );
}

/** Returns a Markdown table. A cell may contain Markdown. Line breaks in it become spaces. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function fieldsOf(document: ApiDocument, value: Schema | Reference, prefix: string): Row[] {
  const { properties = {}, required = [] } = resolve(document, value);
  return Object.entries(properties).flatMap(([key, property]) => {
    const schema = resolve(document, property);
    const name = `${prefix}${key}`;
    const row = {
      name,
      type: typeOf(document, schema),
      isRequired: required.includes(key),
      description: descriptionOf(schema),
    };
    const nested = schema.items
      ? fieldsOf(document, schema.items, `${name}[].`)
      : fieldsOf(document, schema, `${name}.`);
    return [row, ...nested];
  });
}

/** Returns the JSON type in words: `string`, `list of objects`, `number or null`. */
export function typeOf(document: ApiDocument, value: Schema | Reference): string {
  const schema = resolve(document, value);
  if (schema.items) return `list of ${typeOf(document, schema.items)}s`;
  const { type = typeof (schema.const ?? schema.enum?.[0] ?? '') } = schema;
  return typeof type === 'string' ? type : type.join(' or ');
}

/** Returns the description, followed by the allowed values and the limits. */
export function descriptionOf({ description = '', deprecated, ...schema }: Schema): string {
  const known = schema['x-extensible-enum'];
  const values = known ?? schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  const shown = values.map((value) => `\`${JSON.stringify(value)}\``);
  return [
    deprecated ? '**Deprecated.**' : '',
    escaped(description),
    shown.length > 0 ? `${shown.length > 1 ? 'One of ' : 'Always '}${shown.join(', ')}.` : '',
    known ? 'More may be added.' : '',
    schema.maxLength ? `At most ${schema.maxLength} characters.` : '',
    schema.maximum ? `From ${schema.minimum ?? 0} to ${schema.maximum}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
