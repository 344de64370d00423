/** What the runtime and a function instance say to each other, as heads of frames. */

/** The runtime asks; the body is the event as JSON. */
export interface InvocationRequest {
  readonly requestId: string;
  readonly functionArn: string;
  /** Epoch milliseconds at which the declared timeout ends the instance. */
  readonly deadlineMs: number;
  readonly traceId: string;
}

/** The instance answers, once after its start and once for each invocation. */
export type InstanceMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'unable'; readonly error: string }
  /** `result` is what the handler returned; a text `body` of it travels as the frame's body, decoded. */
  | { readonly type: 'returned'; readonly result: unknown; readonly hasBody: boolean }
  | { readonly type: 'threw'; readonly error: string };
