const PREFIX = 'member:';

/** The actor in the audit trail for a change by a member. */
export function memberActor(personId: string): string {
  return `${PREFIX}${personId}`;
}

/** The ID of the person who made a change. Undefined if it was not made in the console. */
export function personOfActor(actor: string): string | undefined {
  return actor.startsWith(PREFIX) ? actor.slice(PREFIX.length) : undefined;
}
