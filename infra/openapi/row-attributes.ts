import { readFileSync } from 'node:fs';

/** The attributes of rows, from their schemas and the doc comments in the source. */

export interface DocumentedRow {
  readonly name: string;
  readonly schema: { readonly entries: Readonly<Record<string, unknown>> };
  /** The constants that contain the schema, such as `shared/audit/approval.ts#approval`. */
  readonly sources: readonly string[];
}

interface AnySchema {
  readonly type: string;
  readonly options?: readonly string[];
  readonly literal?: unknown;
  readonly item?: unknown;
  readonly value?: unknown;
  readonly wrapped?: unknown;
  readonly entries?: Readonly<Record<string, unknown>>;
}

/** The page describes them. */
const KEYS: ReadonlySet<string> = new Set(['pk', 'sk']);
/** A longer list of values is not printed. */
const MOST_VALUES = 8;

const code = (names: readonly unknown[]) => names.map((name) => `\`${name}\``).join(', ');

/** Returns a type in words, such as "list of string, optional". */
function typeText(schema: unknown): string {
  const { type, options = [], literal, item, value, wrapped, entries = {} } = schema as AnySchema;
  if (type === 'picklist') return options.length > MOST_VALUES ? 'string' : code(options);
  if (type === 'literal') return code([literal]);
  if (type === 'array') return `list of ${typeText(item)}`;
  if (type === 'record') return `map of ${typeText(value)}`;
  if (type === 'optional') return `${typeText(wrapped)}, optional`;
  if (type === 'nullable') return `${typeText(wrapped)} or null`;
  if (type !== 'object') return type === 'unknown' ? 'any' : type;
  return Object.keys(entries).length > 0 ? `object: ${code(Object.keys(entries))}` : 'empty object';
}

/** Returns the doc comments of the attributes in a constant. Throws if the constant does not exist. */
function commentsIn(source: string): [string, string][] {
  const [path, constant] = source.split('#');
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const body = new RegExp(`^(?:export )?const ${constant} = v\\.object\\(\\{\n([\\s\\S]*?)^\\}\\)`, 'm').exec(
    text,
  )?.[1];
  if (body === undefined) throw new Error(`There is no schema ${source}.`);
  const comments = body.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+)[:,]/gm);
  return [...comments].map(([, comment = '', attribute = '']) => [
    attribute,
    comment
      .replaceAll(/\s*\n\s*\* ?/g, ' ')
      .replace('@default', 'Default:')
      .trim(),
  ]);
}

/** Returns the table of the attributes of rows. */
export function attributeTable(rows: readonly DocumentedRow[]): string {
  const lines = rows.flatMap(({ name, schema, sources }) => {
    const comments = new Map(sources.flatMap(commentsIn));
    const attributes = Object.entries(schema.entries).filter(([attribute]) => !KEYS.has(attribute));
    return attributes.map(([attribute, type], index) => {
      const meaning = (comments.get(attribute) ?? '').replaceAll('|', '\\|');
      return `| ${index === 0 ? name : ''} | \`${attribute}\` | ${typeText(type)} | ${meaning} |`;
    });
  });
  return `| row | attribute | type | meaning |\n|---|---|---|---|\n${lines.join('\n')}\n`;
}
