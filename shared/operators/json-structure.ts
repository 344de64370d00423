/**
 * The structure of a JSON body: the type of each field by its path, such as `data.directors[].surname`. It contains no
 * value, so it can be printed and stored.
 */
export type Fields = Readonly<Record<string, string>>;

/** Deeper fields are ignored. No provider's sample has more than four levels. */
const MAX_DEPTH = 12;
/** A key of a different form may be a value, such as the number that was looked up. */
const KEY = /^(?!.*\d{5})[A-Za-z_][\w -]{0,63}$/;

/** Returns the structure of a body. The entries of a list are described together. */
export function fieldsOf(body: unknown): Fields {
  const types = new Map<string, Set<string>>();
  addFields(body, '', 0, types);
  return Object.fromEntries([...types].map(([path, seen]) => [path, [...seen].sort().join(' or ')]));
}

function addFields(value: unknown, path: string, depth: number, types: Map<string, Set<string>>): void {
  if (path !== '') types.set(path, (types.get(path) ?? new Set()).add(typeOf(value)));
  if (depth === MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const entry of value) addFields(entry, `${path}[]`, depth + 1, types);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      const key = KEY.test(name) ? name : '<key>';
      addFields(field, path === '' ? key : `${path}.${key}`, depth + 1, types);
    }
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}
