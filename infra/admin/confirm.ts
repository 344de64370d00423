import { createInterface } from 'node:readline/promises';

/** Wrong usage of the command line: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  /** Questions go here; not where scripts read results. */
  readonly output: NodeJS.WritableStream;
}

/**
 * Asks before what can't be undone; anything but `y` or `yes` throws. Throws a `UsageError` where nobody is there
 * to answer: a script must say --yes.
 */
export async function confirm(question: string, { input, output }: Terminal): Promise<void> {
  if (!input.isTTY) throw new UsageError(`${question} Say --yes: there is no terminal to ask.`);
  const dialogue = createInterface({ input, output });
  const ended = new Promise<string>((resolve) => dialogue.once('close', () => resolve('')));
  const answer = await Promise.race([dialogue.question(`${question} [y/N] `), ended]);
  dialogue.close();
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new Error('Nothing was changed.');
}
