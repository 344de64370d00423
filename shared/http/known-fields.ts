import type * as v from 'valibot';

export type Entries = Readonly<Record<string, v.GenericSchema>>;

/** Returns the fields of an object, also of an optional one. None for other schemas. */
export function entriesOf(schema: v.GenericSchema | undefined): Entries {
  if (schema && 'wrapped' in schema) return entriesOf(schema.wrapped as v.GenericSchema);
  return schema && 'entries' in schema ? (schema.entries as Entries) : {};
}

/** Returns the fields of the object at this path of a body. */
export function entriesAt(schema: v.GenericSchema, path: readonly string[]): Entries {
  return path.reduce((entries, key) => entriesOf(entries[key]), entriesOf(schema));
}

/** Whether a strict object has a field that its schema does not have. */
export function isUnknownField({ type, expected }: v.BaseIssue<unknown>): boolean {
  return type === 'strict_object' && expected === 'never';
}
