import type { Fields } from '../../../shared/operators/json-structure.ts';
import type { PublishedSample } from './published-samples.ts';

/** How a response differs from a published sample. Fields are named by their paths. */
export interface Comparison {
  readonly product: string;
  readonly source: string;
  /** Fields of the sample that the response lacks. */
  readonly missing: readonly string[];
  /** Fields of the response that the sample lacks. */
  readonly added: readonly string[];
  /** Fields whose type differs from that in the sample. */
  readonly retyped: readonly RetypedField[];
  /**
   * False if the sample could not be read to the end. Additional fields are then expected and do not count as
   * differences.
   */
  readonly complete: boolean;
}

interface RetypedField {
  readonly path: string;
  readonly sample: string;
  readonly response: string;
}

/**
 * Compares a response with the published variants of its product. Returns the comparison with a variant that does not
 * differ or, if all differ, with the variant that is most similar to the response.
 */
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

/** Returns the number of fields, at any depth, that only one of the two structures contains. */
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
 * Returns the fields that only the first structure contains. If an object is missing from the second, returns the
 * object itself, not its fields. If the second contains null or an empty list in its place, returns neither.
 */
function pathsOnlyIn(one: Fields, other: Fields): string[] {
  return Object.keys(one).filter((path) => {
    if (Object.hasOwn(other, path) || path.endsWith('[]')) return false;
    const parent = path.replace(/\.?[^.]+$/, '');
    return parent === '' || other[parent]?.includes('object') === true;
  });
}

/** Whether the first types include all of the others. Null is ignored, and null alone matches every type. */
function areCompatible(one: string, other: string): boolean {
  const types = withoutNull(one);
  const others = withoutNull(other);
  return types.length === 0 || others.length === 0 || others.every((type) => types.includes(type));
}

function withoutNull(types: string): string[] {
  return types.split(' or ').filter((type) => type !== 'null');
}
