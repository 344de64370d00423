import { createInterface } from 'node:readline';
import { printable } from '../../shared/core/printable-text.ts';
import { UsageError } from './arguments.ts';
import { paragraph } from './output.ts';

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  /** The stream that receives the question. Not stdout, which scripts read. */
  readonly output: NodeJS.WritableStream & { readonly columns?: number | undefined };
}

/**
 * Asks the operator to confirm. Throws unless they enter `y` or `yes`. The end of the input and Ctrl-C count as no.
 * Throws a `UsageError` if the input is not a terminal, because scripts pass --yes.
 */
export async function confirm(text: string, { input, output }: Terminal): Promise<void> {
  // A stored name in the question must not look like a separate line.
  const question = printable(text);
  if (!input.isTTY)
    throw new UsageError(`${question} Confirmation is required, but there is no terminal: pass \`--yes\`.`);
  const lines = paragraph(`${question} [y/N]`, output.columns ?? Number.POSITIVE_INFINITY);
  const reply = await askLine(`${lines} `, { input, output });
  if (!/^\s*y(es)?\s*$/i.test(reply)) throw new Error('Cancelled. Nothing was changed.');
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
