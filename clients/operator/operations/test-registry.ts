import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import type { Fields } from '../../../shared/operators/json-structure.ts';
import type { TestedLookUp } from '../../../shared/operators/test-look-up.ts';
import type { RegistryProvider, RegistryQuery } from '../../../shared/registries/port.ts';
import { type Comparison, compareWithSamples, differenceCount } from '../conformance/compare.ts';
import { samplesFor } from '../conformance/published-samples.ts';
import type { TestNumber } from '../conformance/test-numbers.ts';

/** A test look-up, compared with the published sample of its product. */
export interface RegistryTest extends Omit<TestedLookUp, 'response'> {
  readonly sample: SampleCheck;
}

/** How the fields of the response compare with the published sample. */
export type SampleCheck =
  | ({ readonly kind: 'compared' } & Comparison)
  /** The provider publishes no sample for the product. */
  | { readonly kind: 'no-sample'; readonly fields: Fields }
  /** There is no response that could contain a record. */
  | { readonly kind: 'not-compared' };

/** Compares the response of a test look-up with the published samples. */
export function checkSample(provider: string, { response, ...test }: TestedLookUp): RegistryTest {
  if (!response) return { ...test, sample: { kind: 'not-compared' } };
  const { fields, path } = response;
  const comparison = compareWithSamples(fields, samplesFor(provider, path));
  return {
    ...test,
    sample: comparison ? { kind: 'compared', ...comparison } : { kind: 'no-sample', fields },
  };
}

/** Whether the record was found, in a response with the fields of the published sample, if there is one. */
export function conforms({ outcome, sample }: RegistryTest): boolean {
  return outcome === 'found' && (sample.kind !== 'compared' || differenceCount(sample) === 0);
}

/** What a provider sells: look-ups of one ID type and level. */
export interface Product {
  readonly idType: IdType;
  readonly level: RegistryQuery['level'];
}

/** A look-up of the conformance list. */
export type ListedLookUp = TestNumber & Product;

/** The conformance list of a provider, and the products that it does not cover. */
interface ConformanceList {
  readonly lookUps: readonly ListedLookUp[];
  /** Products for which the provider publishes no test number. */
  readonly untested: readonly Product[];
}

/** Returns the look-ups that test a provider with its published numbers. `only` limits the ID type and level. */
export function conformanceList(
  { idTypes }: Pick<RegistryProvider, 'idTypes'>,
  numbers: readonly TestNumber[],
  only: Partial<Product> = {},
): ConformanceList {
  const products = ID_TYPES.flatMap((idType) => (idTypes[idType] ?? []).map((level) => ({ idType, level })))
    .filter(({ idType }) => only.idType === undefined || idType === only.idType)
    .filter(({ level }) => only.level === undefined || level === only.level);
  const numbersFor = ({ idType }: Product) => numbers.filter((one) => one.idType === idType);
  return {
    lookUps: products.flatMap((product) => numbersFor(product).map((number) => ({ ...number, ...product }))),
    untested: products.filter((product) => numbersFor(product).length === 0),
  };
}
