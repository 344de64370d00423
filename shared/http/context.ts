import type middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Environment } from '../core/environment.ts';
import type { IdType } from '../core/id-types.ts';

/** The style of a route's error codes. The gateway has its own codes (specification "Errors"). */
export type ErrorStyle = 'dedicated' | 'gateway';

/** One look-up at a provider, as the log line and the metrics name it. Times are epoch milliseconds. */
export interface LookUpLine {
  readonly provider: string;
  readonly idType: IdType;
  /** `not-sent`: the request lacked something that this provider requires. */
  readonly outcome: 'found' | 'not-found' | 'failed' | 'unreachable' | 'timeout' | 'not-sent';
  readonly startedMs: number;
  readonly endedMs: number;
  readonly detail?: string | undefined;
  /** Whether the provider may have billed a look-up that returned no record. */
  readonly maybeBilled: boolean;
}

/**
 * What the log line and the metrics of a request say (rule 13 of docs/design/architecture.md): no body, number, person's name,
 * key or path. Checks and routes set what they know.
 */
export interface RequestLine {
  /** The code of the response. */
  code: string;
  /** A registry's reason or the service's own classification. */
  detail: string;
  /** ULID. Absent from requests to the console. */
  operationId?: string;
  organisation?: string;
  env?: Environment;
  keyLabel?: string;
  /** The service that the request asks for. Empty if it asks for none. */
  service: string;
  /** The display name of the provider that returned the result or failed. Empty if none was called. */
  provider: string;
  /** Each attempt to look up the number with a provider, in order. */
  readonly lookUps: LookUpLine[];
  creditsCharged: number;
  /** The operation whose charge a free replay repeated. */
  replayOf?: string;
  /** Whether a provider may have billed a look-up that no customer is charged for. */
  maybeBilled: boolean;
  /**
   * Whether the registries or Paystack were unavailable or too slow. A 5xx response is then not a fault of the service.
   */
  isProviderUnavailable: boolean;
  /** Whether the wallet did not respond, or a step exceeded its time limit. */
  isWalletUnavailable: boolean;
  /** Whether the identity provider failed, or could not be reached. */
  isSignInFault: boolean;
  /** The network of the request, if it is new for the key. */
  newNetwork?: string | undefined;
  /** The existing organisation that a rejected API key names. */
  organisationOfBadKey?: string;
}

/** The facts about a request that are known before any check runs. */
type RequestStart = Pick<RequestContext, 'requestId' | 'requestedAtMs' | 'headers'>;

/**
 * The state of one request that the engine knows. Checks share what they find as a `requestValue` of their own room.
 */
export class RequestContext {
  readonly requestId: string;
  /** API Gateway's own request time in epoch milliseconds. */
  readonly requestedAtMs: number;
  /** Headers of the response. */
  readonly headers: Record<string, string>;
  readonly line: RequestLine = {
    code: '',
    detail: '',
    service: '',
    provider: '',
    lookUps: [],
    creditsCharged: 0,
    maybeBilled: false,
    isProviderUnavailable: false,
    isWalletUnavailable: false,
    isSignInFault: false,
  };
  /**
   * Whether a step exceeded its time limit. The response is then decided, and a later result of the step is not used.
   */
  isOutOfTime = false;
  /**
   * Work that runs in parallel with the route. The response waits until it has ended, because Lambda freezes the
   * function after the response.
   */
  readonly pending: Promise<unknown>[] = [];

  constructor({ requestId, requestedAtMs, headers }: RequestStart) {
    this.requestId = requestId;
    this.requestedAtMs = requestedAtMs;
    this.headers = headers;
  }
}

/** A request to the API. */
export class ApiContext extends RequestContext {
  readonly operationId: string;
  readonly errorStyle: ErrorStyle;
  /** The ID type to echo. On the gateway, it is known once the body is read (contract C2). Empty if there is none. */
  idType: IdType | '';

  constructor({
    operationId,
    errorStyle,
    idType,
    ...start
  }: RequestStart & Pick<ApiContext, 'operationId' | 'errorStyle' | 'idType'>) {
    super(start);
    this.operationId = operationId;
    this.errorStyle = errorStyle;
    this.idType = idType;
    this.line.operationId = operationId;
  }
}

/** A value of a request that one check sets, once, and that later checks and the route read. */
export interface RequestValue<T> {
  set(requestContext: RequestContext, value: T): void;
  /** Throws if no check has set the value, because the chain is then in the wrong order. */
  of(requestContext: RequestContext): T;
  /** Returns undefined if no check has set the value. */
  find(requestContext: RequestContext): T | undefined;
}

export function requestValue<T>(name: string): RequestValue<T> {
  const values = new WeakMap<RequestContext, T>();
  return {
    set(requestContext, value) {
      if (values.has(requestContext)) throw new Error(`The request already has its ${name}.`);
      values.set(requestContext, value);
    },
    of(requestContext) {
      const value = values.get(requestContext);
      if (value === undefined) throw new Error(`No middleware of this chain has set the ${name}.`);
      return value;
    },
    find: (requestContext) => values.get(requestContext),
  };
}

export type RouteContext<C extends RequestContext> = Context & { requestContext: C };
/** A check of a chain. Its `after` hook sees the result of the route, which the engine then converts to a response. */
export type Middleware<C extends RequestContext = ApiContext> = middy.MiddlewareObj<
  APIGatewayProxyEvent,
  unknown,
  Error,
  RouteContext<C>
>;
export type Hook<C extends RequestContext = ApiContext> = middy.MiddlewareFn<
  APIGatewayProxyEvent,
  unknown,
  Error,
  RouteContext<C>
>;

/** Returns all values of a header, in whatever case its name was sent. `name` is in lower case. */
export function headerValues(event: APIGatewayProxyEvent, name: string): string[] {
  const found: string[] = [];
  for (const [header, values] of Object.entries(event.multiValueHeaders ?? {}))
    if (header.length === name.length && header.toLowerCase() === name) found.push(...(values ?? []));
  return found;
}
