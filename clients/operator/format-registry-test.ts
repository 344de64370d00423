import { type Comparison, differenceCount } from './conformance/compare.ts';
import type { Product, RegistryTest, SampleCheck } from './operations/test-registry.ts';
import { counted, fields, paragraph, table } from './output.ts';

/** Formats the results of `registry test` for people. They contain the names of fields, never their values. */

/** Formats the result of one look-up. */
export function formatTest(test: RegistryTest): string {
  const { maybeBilled, detail, latencyMs, idType, level, outcome, sample } = test;
  const result = fields({
    provider: test.provider,
    'ID type': idType,
    level,
    outcome,
    detail: detail || 'none',
    latency: `${latencyMs} ms`,
    billing: maybeBilled ? 'may be billed even without a record' : 'as agreed with the provider',
    fields: summary(sample),
  });
  return [result, ...details(test)].join('\n\n');
}

/** Formats the results of a conformance list. */
export function formatConformance(
  tests: readonly (RegistryTest & { readonly number: string })[],
  untested: readonly Product[],
): string {
  const lines = tests.map(({ idType, level, number, latencyMs, sample, outcome, detail }) => [
    idType,
    level,
    number,
    latencyMs,
    summary(sample),
    detail === '' ? outcome : `${outcome}: ${detail}`,
  ]);
  const products = untested.map(({ idType, level }) => `${idType} ${level}`);
  return [
    table(['ID TYPE', 'LEVEL', 'NUMBER', 'MS', 'FIELDS', 'OUTCOME'], lines),
    ...tests.flatMap(details),
    ...(products.length > 0
      ? [paragraph(`Not tested, because no test number is published: ${products.join(', ')}.`)]
      : []),
  ].join('\n\n');
}

function summary(sample: SampleCheck): string {
  if (sample.kind === 'no-sample') return 'no sample';
  if (sample.kind === 'not-compared') return 'not compared';
  const count = differenceCount(sample);
  return count === 0 ? 'as published' : counted(count, 'difference');
}

/**
 * Returns a table of the fields that differ from the sample, or of all fields if no sample is published. Returns an
 * empty list if no field differs or nothing was compared.
 */
function details({ idType, level, sample }: RegistryTest): string[] {
  if (sample.kind === 'not-compared') return [];
  if (sample.kind === 'no-sample') {
    const title = `${idType} ${level}: no sample is published for this product. The response contains these fields:`;
    return [
      `${paragraph(title)}\n${table(
        ['TYPE', 'FIELD'],
        Object.entries(sample.fields).map(([path, type]) => [type, path]),
      )}`,
    ];
  }
  const lines = differences(sample);
  if (lines.length === 0) return [];
  const title = `${idType} ${level} compared with the published sample of ${sample.product}:`;
  return [`${paragraph(title)}\n${table(['FIELD IS', 'FIELD'], lines)}\nSample: ${sample.source}`];
}

function differences({ missing, added, retyped, complete }: Comparison): string[][] {
  return [
    ...missing.map((path) => ['missing', path]),
    ...retyped.map(({ path, sample, response }) => [
      'different',
      `${path} (${response} instead of ${sample})`,
    ]),
    // If the sample is incomplete, more fields are expected.
    ...added.map((path) => [complete ? 'additional' : 'unlisted', path]),
  ];
}
