import type middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Environment } from '../core/environment.ts';
import type { IdType } from '../core/id-types.ts';

/** The gateway has its own codes (specification "Errors"). */
export type ErrorStyle = 'dedicated' | 'gateway';

/** As the log line and the metrics name it. Times are epoch milliseconds. */
export interface LookUpLine {
  readonly provider: string;
  readonly idType: IdType;
  /** `not-sent`: the request lacked something that the provider requires. */
  readonly outcome: 'found' | 'not-found' | 'failed' | 'unreachable' | 'timeout' | 'not-sent';
  readonly startedMs: number;
  readonly endedMs: number;
  readonly detail?: string | undefined;
  /** The provider may bill it without a record. */
  readonly maybeBilled: boolean;
}

/**
 * Rule 13 of docs/design/architecture.md: no body, number, person's name, key or path. Checks and routes set what they know.
 */
export interface RequestLine {
  /** The code of the response. */
  code: string;
  /** A registry's reason, or our own classification. */
  detail: string;
  /** ULID. Absent from requests to the console. */
  operationId?: string;
  organisation?: string;
  env?: Environment;
  keyLabel?: string;
  /** Empty if the request asks for none. */
  service: string;
  /** The provider that returned the result or failed; empty if none was called. */
  provider: string;
  /** In order. */
  readonly lookUps: LookUpLine[];
  /** Whether it is the first of its instance. */
  isColdStart: boolean;
  /** How long the checks and the route took, in milliseconds. Look-ups are part of `route`. */
  readonly steps: Record<string, number>;
  creditsCharged: number;
  /** Its charge is what a free replay repeats. */
  replayOf?: string;
  /** Of a look-up that no customer is charged for. */
  maybeBilled: boolean;
  /**
   * Registries or Paystack were unavailable or too slow: a 5xx response is then not a fault of the service.
   */
  isProviderUnavailable: boolean;
  /** It did not respond, or a step exceeded its time limit. */
  isWalletUnavailable: boolean;
  isSignInFault: boolean;
  /** If it is new for the key. */
  newNetwork?: string | undefined;
  /** If the key had another new network in the last 24 hours. */
  changesNetworks?: boolean | undefined;
  /** If it exists. */
  organisationOfBadKey?: string;
}

/** Known before any check runs. */
type RequestStart = Pick<RequestContext, 'requestId' | 'requestedAtMs' | 'headers'>;

/** Checks share what they find as a `requestValue` of their own room. */
export class RequestContext {
  readonly requestId: string;
  /** API Gateway's, epoch milliseconds. */
  readonly requestedAtMs: number;
  /** Headers of the response. */
  readonly headers: Record<string, string>;
  readonly line: RequestLine = {
    code: '',
    detail: '',
    service: '',
    provider: '',
    lookUps: [],
    isColdStart: false,
    steps: {},
    creditsCharged: 0,
    maybeBilled: false,
    isProviderUnavailable: false,
    isWalletUnavailable: false,
    isSignInFault: false,
  };
  /** The response is then decided, and a later result of the step is not used. */
  isOutOfTime = false;
  /** The response waits for this work, because Lambda freezes the function after it. */
  readonly pending: Promise<unknown>[] = [];

  constructor({ requestId, requestedAtMs, headers }: RequestStart) {
    this.requestId = requestId;
    this.requestedAtMs = requestedAtMs;
    this.headers = headers;
  }
}

/** Whether a request with the Idempotency-Key was charged. */
export type KeyState = 'charged' | 'not_charged' | 'unknown';

/** A request to the API. */
export class ApiContext extends RequestContext {
  readonly operationId: string;
  readonly errorStyle: ErrorStyle;
  /** To echo. On the gateway, known once the body is read (contract C2). */
  idType: IdType | '';
  /** Absent if the request has no valid key, or its route charges nothing. */
  keyState?: KeyState;
  /** The ID of the charged request that this one repeats. */
  replayOf?: string;

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

/** Set by one check, once, and read by later ones and the route. */
export interface RequestValue<T> {
  set(requestContext: RequestContext, value: T): void;
  /** Throws if no check has set it: the chain is then in the wrong order. */
  of(requestContext: RequestContext): T;
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
/** Its `after` hook sees the route's result, which the engine then converts. */
export interface Middleware<C extends RequestContext = ApiContext>
  extends middy.MiddlewareObj<APIGatewayProxyEvent, unknown, Error, RouteContext<C>> {
  /** In the log. The bundler removes the names of functions. */
  readonly name: string;
}
export type Hook<C extends RequestContext = ApiContext> = middy.MiddlewareFn<
  APIGatewayProxyEvent,
  unknown,
  Error,
  RouteContext<C>
>;

/** In whatever case the name was sent. `name` is in lower case. */
export function headerValues(event: APIGatewayProxyEvent, name: string): string[] {
  const found: string[] = [];
  for (const [header, values] of Object.entries(event.multiValueHeaders ?? {}))
    if (header.length === name.length && header.toLowerCase() === name) found.push(...(values ?? []));
  return found;
}
