const PREFIX = 'member:';

export function memberActor(personId: string): string {
  return `${PREFIX}${personId}`;
}

export function personOfActor(actor: string): string | undefined {
  return actor.startsWith(PREFIX) ? actor.slice(PREFIX.length) : undefined;
}
