/** If a body or query is rejected, `error` names the field. */
export interface ConsoleEnvelope<T> {
  readonly success: boolean;
  readonly code: string;
  readonly message: string;
  readonly data: T | null;
  readonly error?: {
    readonly reason: string;
    readonly field: string;
    readonly hint: string;
    /** The other rejected fields of a form. */
    readonly others?: readonly { readonly field: string; readonly message: string }[];
  };
  readonly meta: { readonly request_id: string; readonly timestamp: string };
}
