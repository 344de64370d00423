import type middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { LimiterRows } from '../accounts/account-table.ts';
import type { ApiKey } from '../accounts/api-key.ts';
import type { Organisation } from '../accounts/organisation.ts';
import type { TestLease } from '../accounts/test-traffic.ts';
import type { Row } from '../core/database.ts';
import type { Environment } from '../core/environment.ts';
import type { IdType } from '../core/id-types.ts';
import type { Secret } from '../core/secrets.ts';
import type { EndSubsegment } from '../core/trace.ts';
import type { CreditState } from '../ledger/middleware/settle.ts';
import type { Operation } from '../ledger/operation.ts';
import type { Attempt } from '../registries/ask-provider.ts';
import type { RegistryStates } from '../registries/router.ts';
import type { ErrorStyle } from '../verifications/outcome-codes.ts';
import type { Command } from '../verifications/requests.ts';
import type { AccountBanks } from '../verifications/verify-identity.ts';
import type { ChainResponse } from './result.ts';

/** The caller, known once the API key is accepted. */
export interface Caller {
  readonly env: Environment;
  readonly key: ApiKey;
  readonly organisation: Organisation;
  /** The limiter's rows as this request read them. */
  readonly limits: LimiterRows;
  /** The row of the test traffic budget. Empty if the request does not need the row, or if there is none. */
  readonly testTraffic: Row;
  /** The state of each registry that this request may call. Empty if it calls none. */
  readonly registryStates: RegistryStates;
}

/** The facts about a request that are known before any check runs. */
export interface RequestStart {
  readonly requestId: string;
  readonly operationId: string;
  /** API Gateway's own request time in epoch milliseconds. */
  readonly requestedAtMs: number;
  readonly errorStyle: ErrorStyle;
  /** The ID type of a dedicated route. Empty if the body names it, or if there is none. */
  readonly idType: IdType | '';
  /** Headers of the response. */
  readonly headers: Record<string, string>;
  /** Ends the request's trace. Undefined if the request is not traced. */
  readonly endTrace?: EndSubsegment | undefined;
}

/**
 * The state of one request, which the middleware share on the Lambda context. `caller` is set by api-key, `command` by
 * json-body, and `operation`, `numberTags` and `pepper` by operation. Reading one of them before it is set throws,
 * because the chain is then in the wrong order.
 */
export class RequestContext {
  declare readonly requestId: string;
  declare readonly operationId: string;
  declare readonly requestedAtMs: number;
  declare readonly errorStyle: ErrorStyle;
  declare readonly headers: Record<string, string>;
  declare readonly endTrace: EndSubsegment | undefined;
  /** The ID type to echo. On the gateway, it is known once the body is read (decision C2). */
  declare idType: IdType | '';
  /** The state of this request's credit: claimed, held, settled ... */
  credit: CreditState = { kind: 'none' };
  /** The banks of an account, set by bank-code. */
  accountBanks: AccountBanks | undefined;
  /** The code of the response, for the log line. */
  code = '';
  /** A registry's reason or the service's own classification, for the log line. Never identity data. */
  detail = '';
  /** When the limiter counted this look-up with a live key, in epoch milliseconds. */
  lookUpStartedAtMs: number | undefined;
  /** The lease of this look-up in the budget for test traffic, until the look-up ends. */
  testLease: TestLease | undefined;
  /** The network of the request, if it is new for the key. */
  newNetwork: string | undefined;
  /** The existing organisation that a rejected API key names. */
  organisationOfBadKey: string | undefined;
  /** The display name of the provider that returned the result or failed. Empty if none was called. */
  provider = '';
  /** Each attempt to look up the number with a provider, in order. */
  readonly attempts: Attempt[] = [];
  /** How long the request waited to claim its idempotency key and reserve its cost, in milliseconds. */
  ledgerMs = 0;
  /** Whether a provider may have billed a look-up that no customer is charged for. */
  maybeBilled = false;
  /**
   * Whether the registries or Paystack were unavailable or too slow. A 5xx response is then not a fault of the service.
   */
  isProviderUnavailable = false;
  /** Whether the request has reserved a credit or is a free replay, so that it has a log row. */
  hasLogRow = false;
  /** Whether the wallet did not respond, or a step exceeded its time limit. */
  isWalletUnavailable = false;
  /**
   * Whether a step exceeded its time limit. The response is then decided, and a later result of the step is not used.
   */
  isOutOfTime = false;
  #caller: Caller | undefined;
  #command: Command | undefined;
  #operation: Operation | undefined;
  #numberTags: readonly string[] | undefined;
  #pepper: Secret | undefined;

  constructor(start: RequestStart) {
    Object.assign(this, start);
  }

  get caller(): Caller {
    return required(this.#caller, 'caller');
  }
  set caller(caller: Caller) {
    this.#caller = caller;
  }
  /** The caller, if the API key was accepted. */
  get knownCaller(): Caller | undefined {
    return this.#caller;
  }

  get command(): Command {
    return required(this.#command, 'command');
  }
  set command(command: Command) {
    this.#command = command;
  }

  get operation(): Operation {
    return required(this.#operation, 'operation');
  }
  set operation(operation: Operation) {
    this.#operation = operation;
  }

  /** The number's pseudonyms. The first one uses the current pepper. */
  get numberTags(): readonly string[] {
    return required(this.#numberTags, 'number tags');
  }
  set numberTags(numberTags: readonly string[]) {
    this.#numberTags = numberTags;
  }

  /** The pepper of the number tags. The request's fingerprint must use the same pepper. */
  get pepper(): Secret {
    return required(this.#pepper, 'pepper');
  }
  set pepper(pepper: Secret) {
    this.#pepper = pepper;
  }
}

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`No middleware of this chain has set the ${name}.`);
  return value;
}

export type RouteContext = Context & { requestContext: RequestContext };
export type Middleware = middy.MiddlewareObj<APIGatewayProxyEvent, ChainResponse, Error, RouteContext>;
export type Hook = middy.MiddlewareFn<APIGatewayProxyEvent, ChainResponse, Error, RouteContext>;

/** Returns all values of a header, in whatever case its name was sent. `name` is in lower case. */
export function headerValues(event: APIGatewayProxyEvent, name: string): string[] {
  const found: string[] = [];
  for (const [header, values] of Object.entries(event.multiValueHeaders ?? {}))
    if (header.length === name.length && header.toLowerCase() === name) found.push(...(values ?? []));
  return found;
}
