import { createInterface } from 'node:readline';

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
 * Asks before what can't be undone; anything but `y` or `yes` throws, the end of the input and Ctrl-C too. Throws
 * a `UsageError` where nobody is there to answer: a script must say --yes.
 */
export async function confirm(question: string, { input, output }: Terminal): Promise<void> {
  if (!input.isTTY) throw new UsageError(`${question} Say --yes: there is no terminal to ask.`);
  const answer = await askLine(`${question} [y/N] `, { input, output });
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new Error('Nothing was changed.');
}

function askLine(question: string, { input, output }: Terminal): Promise<string> {
  return new Promise((resolve) => {
    const dialogue = createInterface({ input, output });
    dialogue.once('line', (line) => {
      resolve(line);
      dialogue.close();
    });
    dialogue.once('close', () => resolve(''));
    dialogue.setPrompt(question);
    dialogue.prompt();
  });
}
