/**
 * GET /audit?search=&from=&to=&cursor=&limit= Newest first. `from` and `to` are days in Africa/Lagos, both inclusive.
 */
export interface ChangesView {
  readonly changes: readonly ChangeView[];
  readonly next_cursor: string | null;
}

export interface ChangeView {
  readonly id: string;
  readonly at: string;
  readonly by: { readonly kind: 'member' | 'operator' | 'service'; readonly name: string };
  readonly action: string;
  /** The action in words. */
  readonly action_text: string;
  readonly target: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly address: string | null;
  readonly request_id: string | null;
}
