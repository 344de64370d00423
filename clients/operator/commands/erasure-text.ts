import type { ErasureStep } from '../../../shared/ledger/erase.ts';
import { counted } from '../output.ts';

/** Says how far an erasure is. */
export function progressOf(step: ErasureStep): string {
  if (step.kind === 'marked')
    return 'The erasure is recorded: no replay and no late log row uses the number any more.';
  const seconds = Math.ceil(step.waitMs / 1000);
  return `Anonymised ${counted(step.erased, 'log row')}. Waiting ${seconds} s for requests in progress. Do not interrupt; if you do, run the command again.`;
}
