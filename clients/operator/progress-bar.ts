import { counted } from './output.ts';

const BAR_WIDTH = 30;

/** The stream on which a progress bar is drawn: stderr, because scripts read stdout. */
interface BarOutput {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/**
 * Returns a function that draws how many wallets a long command has processed, on one line that each call replaces.
 * Draws nothing unless the output is a terminal. Ends the line after the last wallet.
 */
export function progressBar(output: BarOutput = process.stderr) {
  let drawn = '';
  return (done: number, total: number): void => {
    if (output.isTTY !== true || total === 0) return;
    const full = Math.floor((done / total) * BAR_WIDTH);
    const line = `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] ${done} of ${counted(total, 'wallet')}`;
    if (line === drawn) return;
    drawn = line;
    output.write(`\r${line}${done === total ? '\n' : ''}`);
  };
}
