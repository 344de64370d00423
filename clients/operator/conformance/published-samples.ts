import * as v from 'valibot';
import file from './published-samples.json' with { type: 'json' };

/** The structures of the responses that providers publish for records that were found. */

const text = v.string();
const samples = v.array(
  v.object({
    provider: text,
    product: text,
    /** The page or file that was read. */
    source: text,
    /** The path of the request. `{name}` matches one segment. */
    path: text,
    /** False if the sample could not be read to the end. The response then has more fields. */
    complete: v.boolean(),
    fields: v.record(text, text),
  }),
);

export type PublishedSample = v.InferOutput<typeof samples>[number];

/** Derived from test/fixtures/providers. A test compares them, and UPDATE=1 makes it write the file. */
const PUBLISHED_SAMPLES: readonly PublishedSample[] = v.parse(samples, file);

/** Paths that public clients use for a product whose page shows a different path, or none. */
const OTHER_PATHS: readonly Pick<PublishedSample, 'provider' | 'product' | 'path'>[] = [
  { provider: 'prembly', product: 'nin-advanced', path: '/verification/vnin' },
];

/**
 * Returns the published samples of the product that a request used, in all documented variants. Pages disagree about
 * the beginning of paths, so only the ends must match. Empty if nothing is published for the product.
 */
export function samplesFor(provider: string, path: string): PublishedSample[] {
  const ofProvider = PUBLISHED_SAMPLES.filter((sample) => sample.provider === provider);
  const products = new Set(
    [...ofProvider, ...OTHER_PATHS.filter((other) => other.provider === provider)]
      .filter((sample) => endsAlike(sample.path, path))
      .map(({ product }) => product),
  );
  return ofProvider.filter(({ product }) => products.has(product));
}

/** Whether one path ends with the other, and both have at least two segments. */
function endsAlike(template: string, path: string): boolean {
  const wanted = segmentsFromEnd(template);
  const sent = segmentsFromEnd(path);
  const length = Math.min(wanted.length, sent.length);
  if (length < 2) return false;
  return wanted.slice(0, length).every((one, index) => /^\{\w+\}$/.test(one) || one === sent[index]);
}

function segmentsFromEnd(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .reverse();
}
