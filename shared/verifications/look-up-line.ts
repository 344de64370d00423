import type { LookUpLine } from '../http/context.ts';
import { type Attempt, mayBeBilled, wasNotSent } from '../registries/ask-provider.ts';

/** Returns one attempt for the log line and the metrics. */
export function lookUpLine({ provider, idType, result, startedMs, endedMs }: Attempt): LookUpLine {
  return {
    provider: provider.name,
    idType,
    outcome: wasNotSent(result) ? 'not-sent' : result.kind,
    startedMs,
    endedMs,
    detail: result.kind === 'found' ? result.pictureProblem : result.detail,
    maybeBilled: mayBeBilled(result),
  };
}
