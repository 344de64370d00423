import * as v from 'valibot';

/**
 * A row of the audit trail: one change or action by an operator, a member of an organisation, or a function. The row
 * of a change is written in the transaction of the change. Rows are never edited or deleted. They contain no
 * secrets, and no numbers or names of people who were looked up.
 */
export const auditEntry = v.object({
  /** A ULID. Its time is `at`. */
  id: v.string(),
  /** When the change was made, according to the AWS clock. ISO time. */
  at: v.string(),
  /**
   * Who made it. A function: one of `FUNCTION_ACTORS`. An operator: the ARN of the AWS caller, or locally the user name
   * of the operating system. A member in the console: `member:` and the ID of the person, whose name is in the
   * Console table.
   */
  actor: v.string(),
  /** What was done: the command, such as `org approve`, or the action of the console's route or of the function. */
  action: v.string(),
  /** A ULID that all rows of one run of a command or action share. */
  commandId: v.string(),
  /** Present if the actor approved another person's request. `id` identifies the request. */
  approval: v.optional(v.object({ id: v.string(), action: v.string(), requestedBy: v.string() })),
  /** The IP address from which a member made the change. */
  address: v.optional(v.string()),
  /** The ID of the member's request. */
  requestId: v.optional(v.string()),
  /** Absent if the change concerns the whole stage. */
  organisationId: v.optional(v.string()),
  /** What was changed, such as `live key 9fb1561c5c6a`. */
  target: v.string(),
  /** The values before the change: those that changed, and sometimes a label. Absent if the target is new. */
  before: v.optional(v.record(v.string(), v.unknown())),
  /** The values after the change. */
  after: v.optional(v.record(v.string(), v.unknown())),
});
export type AuditEntry = v.InferOutput<typeof auditEntry>;

/** A change as its use case describes it. The recorder adds the rest. */
export type Change = Pick<AuditEntry, 'organisationId' | 'target' | 'before' | 'after'>;

/** The actors that represent functions of the service. */
export const FUNCTION_ACTORS = ['paystack', 'expiry'] as const;
export type FunctionActor = (typeof FUNCTION_ACTORS)[number];
