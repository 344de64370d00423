/** What a call to an AWS service that failed was about, for log lines. It contains no keys. */
interface FailedCall {
  readonly service: string;
  readonly operation: string;
  readonly tables: readonly string[];
  readonly retries: number;
  /** Created after the call: an error of a socket has no frame of our own code. */
  readonly at: Error;
}

const calls = new WeakMap<object, FailedCall>();

/** The first call that ends in an error is its cause. */
export function rememberFailedCall(error: unknown, call: FailedCall): void {
  if (error instanceof Error && !calls.has(error)) calls.set(error, call);
}

/** Of the error or its cause. */
export function failedCallOf(error: Error): FailedCall | undefined {
  return calls.get(error) ?? (error.cause instanceof Error ? calls.get(error.cause) : undefined);
}
