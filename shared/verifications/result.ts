import type { ErrorDetails } from '../core/errors.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Match } from '../matching/match.ts';
import type { FailedProvider } from '../registries/ask-provider.ts';
import type { RegistryResult } from '../registries/port.ts';

export type VerificationResult = FoundResult | FailedResult;

export interface FoundResult extends ProvidersAsked {
  readonly kind: 'found';
  readonly content:
    | {
        readonly type: 'json';
        readonly data: unknown;
        readonly match?: Match;
        /** The caller receives the result of the match, and nothing of the record. */
        readonly isMatchOnly?: true;
        /** For the guess limit: a claimed detail is not in the record, although the match may be strong. */
        readonly mayBeGuess?: boolean;
        readonly warning?: string;
      }
    | { readonly type: 'pdf'; readonly bytes: Uint8Array; readonly fileName: string };
}

export interface FailedResult extends ProvidersAsked {
  readonly kind: Exclude<RegistryResult['kind'], 'found'>;
  /** For the log line. Never contains identity data. */
  readonly detail: string;
  /** Whether the provider may have billed a look-up that no customer is charged for. */
  readonly maybeBilled?: boolean | undefined;
  /** Set if the caller must change the request (contract C7). */
  readonly rejection?: ErrorDetails | undefined;
}

export interface ProvidersAsked {
  readonly provider: ProviderNames;
  readonly failedProviders?: readonly FailedProvider[];
}

interface ProviderNames {
  readonly name: string;
  readonly displayName: string;
}

export function isVerification(result: unknown): result is VerificationResult {
  const kind = typeof result === 'object' && result !== null && Reflect.get(result, 'kind');
  return typeof kind === 'string' && Object.hasOwn(LOGGED_OUTCOMES, kind);
}

/** The outcome that charge rows and log rows record for each kind of result. */
export const LOGGED_OUTCOMES: Readonly<Record<VerificationResult['kind'], Outcome>> = {
  found: 'FOUND',
  'not-found': 'NOT_FOUND',
  failed: 'FAILED',
  unreachable: 'UNREACHABLE',
  timeout: 'TIMEOUT',
};
