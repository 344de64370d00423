export function queryText(values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value.trim()) query.set(name, value.trim());
  return query.toString();
}
