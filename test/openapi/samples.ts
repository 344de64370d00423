import type { CodeSample } from '../../infra/openapi/samples.ts';
import { readDocument, routesOf, samplesOf } from '../../infra/site/document.ts';

export interface Sample extends CodeSample {
  readonly operation: string;
}

/** Returns the samples of all operations in one language, as the documentation site shows them. */
export function samplesIn(lang: string): Sample[] {
  return routesOf(readDocument()).flatMap((route) =>
    samplesOf(route)
      .filter((sample) => sample.lang === lang)
      .map((sample) => ({ ...sample, operation: route.operation.operationId })),
  );
}
