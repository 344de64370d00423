const PREFIX = 'member:';

/** Returns the actor in the audit trail for a change by a member. */
export function memberActor(personId: string): string {
  return `${PREFIX}${personId}`;
}

/** Returns the ID of the member who made a change. Undefined if the actor is not a member. */
export function personOfActor(actor: string): string | undefined {
  return actor.startsWith(PREFIX) ? actor.slice(PREFIX.length) : undefined;
}
