import type middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { ApiKey } from '../accounts/api-key.ts';
import type { Organisation } from '../accounts/organisation.ts';
import type { RateDecision } from '../accounts/rate-limit.ts';
import type { Environment } from '../core/environment.ts';
import type { IdType } from '../core/id-types.ts';
import type { EndSubsegment } from '../core/trace.ts';
import type { Operation } from '../ledger/operation.ts';
import type { Charge } from '../ledger/rows/charge.ts';
import type { PlacedHold } from '../ledger/rows/wallet.ts';
import type { FailedProvider } from '../registries/ask-provider.ts';
import type { RegistryStates } from '../registries/router.ts';
import type { ErrorStyle } from '../verifications/outcome-codes.ts';
import type { Command } from '../verifications/requests.ts';

/**
 * What one request has come to know, handed from middleware to middleware on the Lambda context. Each part is set by
 * the one middleware named beside it; `need` reads what an earlier one must have set.
 */
export interface RequestContext {
  /** answer */
  readonly requestId: string;
  readonly operationId: string;
  /** API Gateway's own request time, epoch milliseconds. */
  readonly requestedAtMs: number;
  readonly errorStyle: ErrorStyle;
  /** The ID type to echo; the gateway's is known once its body was read (decision C2). */
  idType: IdType | '';
  /** Headers of the answer. */
  readonly headers: Record<string, string>;
  /** Whole credits that this request took. */
  creditsCharged: number;
  /** The code of the answer, for the log line. */
  code?: string;
  /** A registry's words of refusal or our classification, for the log line; never identity data. */
  detail?: string;
  /** answer: absent where the request is not traced. */
  readonly endTrace?: EndSubsegment | undefined;
  /** Provider's display name once one was asked. */
  provider: string;
  /** Providers that were asked in vain before that one. */
  failedProviders?: readonly FailedProvider[];
  /** Could it have billed a look-up that nobody is charged for? */
  maybeBilled?: boolean;
  /** api-key */
  caller?: Caller;
  /** rate-limit */
  rate?: RateDecision;
  /** json-body */
  command?: Command;
  /** operation: the number's pseudonyms, current pepper first */
  numberTags?: readonly string[];
  operation?: Operation;
  /** idempotency */
  replayOf?: Charge;
  idempotencyKeyHash?: string;
  /** wallet */
  isWalletUnavailable?: boolean;
  placed?: PlacedHold;
  isDecided?: boolean;
}

export interface Caller {
  readonly env: Environment;
  readonly key: ApiKey;
  readonly organisation: Organisation;
  /** Theoretical arrival time of the key's not-found class. */
  readonly notFoundTatMs: number;
  /** How the registries are that this request may ask; empty where it asks none. */
  readonly registryStates: RegistryStates;
}

export type RouteContext = Context & { requestContext: RequestContext };
/** A handler's result: data for the answer middleware to render, which turns it into the HTTP response. */
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEvent, unknown, Error, RouteContext>;
export type Hook = middy.MiddlewareFn<APIGatewayProxyEvent, unknown, Error, RouteContext>;
export type HttpResponse = APIGatewayProxyResult;

/** What an earlier middleware must have set. Its absence is a fault in a chain. */
export function required<T>(part: T | undefined, name: string): T {
  if (part === undefined) throw new Error(`No middleware of this chain has set ${name}.`);
  return part;
}

/** All values of a header, whatever its case. */
export function headerValues(event: APIGatewayProxyEvent, name: string): string[] {
  const found: string[] = [];
  for (const [header, values] of Object.entries(event.multiValueHeaders ?? {}))
    if (header.length === name.length && header.toLowerCase() === name) found.push(...(values ?? []));
  return found;
}
