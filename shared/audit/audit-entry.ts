import * as v from 'valibot';

/**
 * One change or action, written in its own transaction and never edited. No secrets, and no numbers or names of people
 * who were looked up.
 */
export const auditEntry = v.object({
  /** A ULID. Its time is `at`. */
  id: v.string(),
  /** ISO time, AWS clock. */
  at: v.string(),
  /**
   * One of `FUNCTION_ACTORS`; the ARN of an operator (locally, the user name); `member:` and a person's ID; or `key:`
   * and the start of an API key's hash.
   */
  actor: v.string(),
  /** The command, such as `org approve`, or the action of the route or function. */
  action: v.string(),
  /** A ULID that all rows of one run share. */
  commandId: v.string(),
  /** If the actor approved another person's request `id`. */
  approval: v.optional(v.object({ id: v.string(), action: v.string(), requestedBy: v.string() })),
  /** Of a member. */
  address: v.optional(v.string()),
  /** The ID of the member's or API key's request. */
  requestId: v.optional(v.string()),
  /** Absent for the whole stage. */
  organisationId: v.optional(v.string()),
  /** Such as `live key 9fb1561c5c6a`. */
  target: v.string(),
  /** Those that changed, and sometimes a label. Absent if the target is new. */
  before: v.optional(v.record(v.string(), v.unknown())),
  /** The values after the change. */
  after: v.optional(v.record(v.string(), v.unknown())),
  /** SHA-256 of each row about money that was written with it, by its key, without attributes that later change. */
  rows: v.optional(v.record(v.string(), v.string())),
});
export type AuditEntry = v.InferOutput<typeof auditEntry>;

/** The recorder adds the rest. */
export type Change = Pick<AuditEntry, 'organisationId' | 'target' | 'before' | 'after' | 'rows'>;

/** Begins the actor of an API key, and the author of its orders. */
export const KEY_ACTOR = 'key:';

export const FUNCTION_ACTORS = ['paystack', 'expiry'] as const;
export type FunctionActor = (typeof FUNCTION_ACTORS)[number];
