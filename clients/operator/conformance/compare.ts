import type { Fields } from '../../../shared/operators/json-structure.ts';
import type { PublishedSample } from './published-samples.ts';

/** Fields are named by their paths. */
export interface Comparison {
  readonly product: string;
  readonly source: string;
  readonly missing: readonly string[];
  readonly added: readonly string[];
  readonly retyped: readonly RetypedField[];
  /** False if the sample was cut off: additional fields are then expected. */
  readonly complete: boolean;
}

interface RetypedField {
  readonly path: string;
  readonly sample: string;
  readonly response: string;
}

/** With the published variant that does not differ, or is most similar. */
export function compareWithSamples(
  response: Fields,
  samples: readonly PublishedSample[],
): Comparison | undefined {
  const bySimilarity = samples.toSorted(
    (a, b) => distance(response, a.fields) - distance(response, b.fields),
  );
  const comparisons = bySimilarity.map((sample) => compare(response, sample));
  return comparisons.find((one) => differenceCount(one) === 0) ?? comparisons[0];
}

/** Of fields that only one structure contains. */
function distance(one: Fields, other: Fields): number {
  const absent = (from: Fields, path: string) => !Object.hasOwn(from, path);
  return (
    Object.keys(one).filter((path) => absent(other, path)).length +
    Object.keys(other).filter((path) => absent(one, path)).length
  );
}

/** Returns how many fields differ. */
export function differenceCount({ missing, added, retyped, complete }: Comparison): number {
  return missing.length + retyped.length + (complete ? added.length : 0);
}

function compare(response: Fields, { product, source, complete, fields }: PublishedSample): Comparison {
  return {
    product,
    source,
    complete,
    missing: pathsOnlyIn(fields, response),
    added: pathsOnlyIn(response, fields),
    retyped: Object.entries(fields).flatMap(([path, sample]) => {
      const type = response[path];
      return type === undefined || areCompatible(sample, type) ? [] : [{ path, sample, response: type }];
    }),
  };
}

/**
 * An object that is missing is named itself, not by its fields. Null or an empty list in its place counts as present.
 */
function pathsOnlyIn(one: Fields, other: Fields): string[] {
  return Object.keys(one).filter((path) => {
    if (Object.hasOwn(other, path) || path.endsWith('[]')) return false;
    const parent = path.replace(/\.?[^.]+$/, '');
    return parent === '' || other[parent]?.includes('object') === true;
  });
}

/** Null is ignored, and alone matches every type. */
function areCompatible(one: string, other: string): boolean {
  const types = withoutNull(one);
  const others = withoutNull(other);
  return types.length === 0 || others.length === 0 || others.every((type) => types.includes(type));
}

function withoutNull(types: string): string[] {
  return types.split(' or ').filter((type) => type !== 'null');
}
