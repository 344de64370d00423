import { readFileSync } from 'node:fs';

/** A code sample of docs/openapi.json. */
export interface Sample {
  readonly operation: string;
  readonly lang: string;
  readonly source: string;
}

interface Operation {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly Omit<Sample, 'operation'>[];
}

const { paths } = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** Returns the samples of all operations in one language. */
export function samplesIn(lang: string): Sample[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return operations.flatMap(({ operationId: operation, 'x-codeSamples': samples }) =>
    samples.filter((sample) => sample.lang === lang).map((sample) => ({ ...sample, operation })),
  );
}
