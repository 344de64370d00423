import { isDeepStrictEqual as isSame } from 'node:util';
import type { StageConfig } from '../../infra/config.ts';
import { prod } from '../../infra/stages/prod.ts';
import type { Change } from './setting-changes.ts';

/** Combines changes to settings, because testing each change alone takes minutes of processor time. */

type Settings = Partial<StageConfig>;

/** Several changes as one deployment. */
interface Combined extends Change {
  /** The settings that change, for example `operations.domain.name`. */
  readonly paths: readonly string[];
}

/** Values by path. A value that is removed is undefined. */
type Values = Map<string, unknown>;

interface Group {
  readonly base: Settings;
  readonly isBack: boolean;
  readonly paths: string[];
  /** The values at the other end of the changes, where they differ from `base`. */
  readonly values: Values;
}

/**
 * Combines all changes that lose nothing and need no context. Two changes are combined if both start from the same
 * settings, or both lead back to them, and they do not change the same value.
 */
export function combine(changesOf: Readonly<Record<string, readonly Change[]>>): readonly Combined[] {
  const groups: Group[] = [];
  for (const [path, changes] of Object.entries(changesOf)) {
    for (const [index, { from, to, meant = [], context }] of changes.entries()) {
      if (meant.length > 0 || context) continue;
      const earlier = changes.slice(0, index);
      const isBack = earlier.some((other) => isSame(other.from, to) && isSame(other.to, from));
      const base = isBack ? to : from;
      const values = difference(base, isBack ? from : to);
      const group = groups.find(
        (one) => one.isBack === isBack && isSame(one.base, base) && areApart(one.values, values),
      );
      if (!group) groups.push({ base, isBack, paths: [path], values });
      else {
        group.paths.push(path);
        for (const [name, value] of values) group.values.set(name, value);
      }
    }
  }
  return groups.map(({ base, isBack, paths, values }) => {
    const changed = withValues(base, values);
    return { paths, ...(isBack ? { from: changed, to: base } : { from: base, to: changed }) };
  });
}

/**
 * Returns the values in which `other` differs from `base`. A list is one value. So is an object that only one of them
 * contains.
 */
function difference(base: Settings, other: Settings): Values {
  const values: Values = new Map();
  const compare = (before: unknown, after: unknown, path: string) => {
    if (isSame(before, after)) return;
    if (!isObject(before) || !isObject(after)) values.set(path, after);
    else
      for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
        compare(before[name], after[name], path === '' ? name : `${path}.${name}`);
  };
  compare({ ...prod, ...base }, { ...prod, ...other }, '');
  return values;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether no path in one set equals, contains or is inside a path in the other. */
function areApart(some: Values, others: Values): boolean {
  const contains = (outer: string, inner: string) => `${inner}.`.startsWith(`${outer}.`);
  const overlap = (one: string, other: string) => contains(one, other) || contains(other, one);
  return ![...some.keys()].some((one) => [...others.keys()].some((other) => overlap(one, other)));
}

function withValues(base: Settings, values: Values): Settings {
  const changed: Record<string, unknown> = structuredClone({ ...prod, ...base });
  for (const [path, value] of values) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const holder = names.reduce((object, name) => object[name] as Record<string, unknown>, changed);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  const names = new Set([...Object.keys(base), ...[...values.keys()].map((path) => path.split('.')[0])]);
  // A removed setting must override the value in the stage's file, so it is kept as undefined.
  return Object.fromEntries([...names].map((name) => [name, changed[String(name)]]));
}
