import type { Outcome } from '../core/outcome.ts';
import type { FailedProvider } from '../registries/ask-provider.ts';
import type { RegistryResult } from '../registries/port.ts';

/** What a verification came to, as data: the wallet middleware charges by it, the answer is made from it. */
export type VerificationResult = FoundResult | FailedResult;

export interface FoundResult extends WhoWasAsked {
  readonly kind: 'found';
  /** A JSON answer's data, already cut to the service's view; or a document. */
  readonly content:
    | { readonly type: 'json'; readonly data: unknown; readonly warning?: string }
    | { readonly type: 'pdf'; readonly bytes: Uint8Array; readonly fileName: string };
}

export interface FailedResult extends WhoWasAsked {
  readonly kind: Exclude<RegistryResult['kind'], 'found'>;
  /** For the log line; never identity data. */
  readonly detail: string;
  /** Could the provider have billed a look-up that nobody is charged for? For the log line. */
  readonly maybeBilled?: boolean | undefined;
}

/** The provider whose answer counts, and those that were asked in vain before it. */
export interface WhoWasAsked {
  readonly provider: ProviderNames;
  readonly failedProviders?: readonly FailedProvider[];
}

export interface ProviderNames {
  readonly name: string;
  readonly displayName: string;
}

/** The word of a kind in charge rows and log rows. */
export const LOGGED_OUTCOMES: Readonly<Record<VerificationResult['kind'], Outcome>> = {
  found: 'FOUND',
  'not-found': 'NOT_FOUND',
  failed: 'FAILED',
  unreachable: 'UNREACHABLE',
  timeout: 'TIMEOUT',
};
