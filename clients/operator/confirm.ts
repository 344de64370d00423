import { createInterface } from 'node:readline';
import { printable } from '../../shared/core/printable-text.ts';
import { UsageError } from './arguments.ts';
import { paragraph } from './output.ts';

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  /** The stream that receives the question. Not stdout, which scripts read. */
  readonly output: NodeJS.WritableStream & { readonly columns?: number | undefined };
}

const CANCELLED = 'Cancelled. Nothing was changed.';

/**
 * Asks the operator to confirm. Throws unless they enter `y` or `yes`. The end of the input and Ctrl-C count as no.
 * Throws a `UsageError` if the input is not a terminal, because scripts pass --yes.
 */
export async function confirm(text: string, terminal: Terminal): Promise<void> {
  const reply = await ask(text, '[y/N]', '--yes', terminal);
  if (!/^\s*y(es)?\s*$/i.test(reply)) throw new Error(CANCELLED);
}

/**
 * Like `confirm`, but the operator must enter `name`. For changes that cannot be undone. Scripts pass `--yes <name>`.
 */
export async function confirmName(text: string, name: string, terminal: Terminal): Promise<void> {
  const reply = await ask(text, `Enter ${name} to confirm:`, `--yes ${name}`, terminal);
  if (reply.trim() !== name) throw new Error(CANCELLED);
}

function ask(text: string, prompt: string, option: string, { input, output }: Terminal): Promise<string> {
  // A stored name in the question must not look like a separate line.
  const question = printable(text);
  if (!input.isTTY)
    throw new UsageError(
      `${question} Confirmation is required, but there is no terminal: pass \`${option}\`.`,
    );
  const lines = paragraph(`${question} ${prompt}`, output.columns ?? Number.POSITIVE_INFINITY);
  return askLine(`${lines} `, { input, output });
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
