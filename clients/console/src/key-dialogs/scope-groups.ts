/** Covers all other scopes for look-ups. */
export const ALL_LOOK_UPS = 'verify:*';

/**
 * Groups scopes by what they give access to, in the order of the API: an ID type, or `account` for the wallet and the
 * log. The scope of all look-ups is in no group, because it covers several.
 */
export function scopeGroups(scopes: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const single = scopes.filter((scope) => scope !== ALL_LOOK_UPS);
  return [...Map.groupBy(single, groupOf)];
}

/** `verify:bvn-basic` gives access to BVN. Slips belong to NIN. */
function groupOf(scope: string): string {
  if (scope === 'slip:read') return 'NIN';
  const [, idType] = /^verify:([a-z]+)-/.exec(scope) ?? [];
  return idType?.toUpperCase() ?? 'account';
}

/**
 * Adds a scope to the chosen ones, or removes it. The scope of all look-ups replaces those of individual ones, because
 * it includes them.
 */
export function withScope(chosen: readonly string[], scope: string, isChosen: boolean): readonly string[] {
  const others = chosen.filter((one) => one !== scope);
  if (!isChosen) return others;
  if (scope !== ALL_LOOK_UPS) return [...others, scope];
  return [...others.filter((one) => !one.startsWith('verify:')), scope];
}

/** Returns the entries of a list that a person enters, separated by line breaks, commas, semicolons or spaces. */
export function entriesOf(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((entry) => entry !== '');
}
