/** Returns the values that are not empty, trimmed, as the parameters of an address. */
export function queryText(values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value.trim()) query.set(name, value.trim());
  return query.toString();
}
