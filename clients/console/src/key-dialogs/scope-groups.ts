/** The scopes that cover several others, and the beginnings of those. A look-up includes a match. */
const WIDE: Readonly<Record<string, RegExp>> = { 'verify:*': /^(verify|match):/, 'match:*': /^match:/ };

export const wideScopes = (scopes: readonly string[]) => scopes.filter((scope) => scope in WIDE);

/** Whether another of the chosen scopes covers this one. */
export const isCovered = (scope: string, chosen: readonly string[]) =>
  chosen.some((one) => one !== scope && WIDE[one]?.test(scope));

/**
 * Groups scopes by what they give access to, in the order of the API: an ID type, or `account` for the wallet and the
 * log. Wide scopes are in no group.
 */
export function scopeGroups(scopes: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const single = scopes.filter((scope) => !(scope in WIDE));
  return [...Map.groupBy(single, groupOf)];
}

/** `verify:bvn-basic` gives access to BVN. Slips belong to NIN. */
function groupOf(scope: string): string {
  if (scope.startsWith('slip:')) return 'NIN';
  const [, idType] = /^(?:verify|match):([a-z]+)-/.exec(scope) ?? [];
  return idType?.toUpperCase() ?? 'account';
}

/** Adds a scope to the chosen ones, or removes it. A wide scope replaces those that it covers. */
export function withScope(chosen: readonly string[], scope: string, isChosen: boolean): readonly string[] {
  const others = chosen.filter((one) => one !== scope);
  return isChosen ? [...others.filter((one) => !isCovered(one, [scope])), scope] : others;
}

/** Returns the entries of a list that a person enters, separated by line breaks, commas, semicolons or spaces. */
export function entriesOf(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((entry) => entry !== '');
}
