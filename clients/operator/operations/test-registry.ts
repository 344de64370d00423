import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import type { RegistryProvider, RegistryQuery, RegistryResult } from '../../../shared/registries/port.ts';
import {
  type ObservedResponse,
  observeResponses,
} from '../../../shared/registries/transport/observe-responses.ts';
import { type Comparison, compareWithSamples, differenceCount } from '../conformance/compare.ts';
import { type Fields, fieldsOf } from '../conformance/fields.ts';
import { samplesFor } from '../conformance/published-samples.ts';
import type { TestNumber } from '../conformance/test-numbers.ts';

/** The result of a test look-up, without the record, because personal data does not belong in a terminal. */
export interface RegistryTest {
  readonly provider: string;
  readonly idType: IdType;
  readonly level: RegistryQuery['level'];
  readonly outcome: RegistryResult['kind'];
  readonly detail: string;
  /** True if the provider may bill the look-up even though it returned no record. */
  readonly maybeBilled: boolean;
  readonly latencyMs: number;
  readonly sample: SampleCheck;
}

/** How the fields of the response compare with the published sample. */
export type SampleCheck =
  | ({ readonly kind: 'compared' } & Comparison)
  /** The provider publishes no sample for the product. */
  | { readonly kind: 'no-sample'; readonly fields: Fields }
  /** There is no response that could contain a record. */
  | { readonly kind: 'not-compared' };

/** Sends one look-up directly to a provider. It bypasses the router, so the recorded health does not change. */
export async function testRegistry(provider: RegistryProvider, query: RegistryQuery): Promise<RegistryTest> {
  const { idType, level } = query;
  if (!provider.idTypes[idType]?.includes(level))
    throw new Error(`${provider.displayName} does not offer ${idType} look-ups of level ${level}.`);
  let last: ObservedResponse | undefined;
  const startedMs = Date.now();
  const result = await observeResponses(
    (response) => {
      last = response;
    },
    () => provider.lookUp(query),
  );
  return {
    provider: provider.displayName,
    idType,
    level,
    outcome: result.kind,
    detail: result.kind === 'found' ? '' : result.detail,
    maybeBilled: result.kind !== 'found' && result.maybeBilled === true,
    latencyMs: Date.now() - startedMs,
    sample: sampleCheck(provider.name, result, last),
  };
}

/** The adapter may be unable to read a changed response, so failed results are compared too. */
function sampleCheck(
  provider: string,
  { kind }: RegistryResult,
  response: ObservedResponse | undefined,
): SampleCheck {
  const hasRecord = kind === 'found' || kind === 'failed';
  if (!hasRecord || !response || response.status >= 300) return { kind: 'not-compared' };
  const fields = fieldsOf(response.json);
  const comparison = compareWithSamples(fields, samplesFor(provider, response.url.pathname));
  return comparison ? { kind: 'compared', ...comparison } : { kind: 'no-sample', fields };
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
export interface ConformanceList {
  readonly lookUps: readonly ListedLookUp[];
  /** Products for which the provider publishes no test number. */
  readonly untested: readonly Product[];
}

/** Returns the look-ups that test a provider with its published numbers. `only` limits the ID type and level. */
export function conformanceList(
  { idTypes }: RegistryProvider,
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
