const PREFIX = 'member:';

/** The actor of a member's change in the audit trail. */
export function memberActor(personId: string): string {
  return `${PREFIX}${personId}`;
}

/** The ID of the person who is the actor of a change. Undefined if it was not made in the console. */
export function personOfActor(actor: string): string | undefined {
  return actor.startsWith(PREFIX) ? actor.slice(PREFIX.length) : undefined;
}
