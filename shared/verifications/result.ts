import type { Outcome } from '../core/outcome.ts';
import type { FailedProvider } from '../registries/ask-provider.ts';
import type { RegistryResult } from '../registries/port.ts';

/** The result of a verification. The wallet is charged by it, and the response is rendered from it. */
export type VerificationResult = FoundResult | FailedResult;

export interface FoundResult extends WhoWasAsked {
  readonly kind: 'found';
  /** The data of a JSON response, already reduced to the service's fields; or a document. */
  readonly content:
    | { readonly type: 'json'; readonly data: unknown; readonly warning?: string }
    | { readonly type: 'pdf'; readonly bytes: Uint8Array; readonly fileName: string };
}

export interface FailedResult extends WhoWasAsked {
  readonly kind: Exclude<RegistryResult['kind'], 'found'>;
  /** For the log line; never identity data. */
  readonly detail: string;
  /** Whether the provider may have billed a look-up that no customer is charged for. For the log line. */
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

/** The outcome that charge rows and log rows record for each kind of result. */
export const LOGGED_OUTCOMES: Readonly<Record<VerificationResult['kind'], Outcome>> = {
  found: 'FOUND',
  'not-found': 'NOT_FOUND',
  failed: 'FAILED',
  unreachable: 'UNREACHABLE',
  timeout: 'TIMEOUT',
};
