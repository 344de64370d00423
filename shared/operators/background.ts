import { errorFields, logger } from '../core/logger.ts';
import type { ActionContext, Report } from './action.ts';
import type { BackgroundTable } from './background-table.ts';
import { faultMessage, operatorMessage } from './operator-message.ts';

/** The event with which a function continues a change that it has accepted. `work` may contain personal data. */
export interface BackgroundEvent {
  readonly backgroundId: string;
  readonly actor: string;
  readonly work: unknown;
}

export function isBackgroundEvent(event: object): event is BackgroundEvent {
  return 'backgroundId' in event;
}

interface BackgroundDependencies {
  readonly changes: Pick<BackgroundTable, 'begin' | 'update'>;
  /** Invokes this function again, without waiting for it. */
  readonly invokeAgain: (event: BackgroundEvent) => Promise<void>;
  /** Returns how long this invocation may still run. */
  readonly remainingMs: () => number;
  readonly nowMs: () => number;
  /** Of this invocation. */
  readonly requestId: string;
}

/** Lambda invokes a function twice more if it fails. */
const MOST_ATTEMPTS = 3;
/** Enough to finish a step, and to invoke the function again. */
const LAST_MS = 60_000;

/**
 * Makes a change in the background, and stores its progress and its result. If the time of the function is nearly used
 * up, continues in another invocation.
 */
export async function continueInBackground<W>(
  {
    inBackground,
  }: { readonly inBackground?: (work: W, context: ActionContext, report: Report) => Promise<unknown> },
  event: BackgroundEvent,
  context: ActionContext,
  { changes, invokeAgain, remainingMs, nowMs, requestId }: BackgroundDependencies,
): Promise<void> {
  if (!inBackground) throw new Error('This change does not continue in the background.');
  const { backgroundId: id, work } = event;
  const attempts = await changes.begin(id);
  let isOutOfTime = false;
  const progress = newestFirst(
    (newest) => changes.update(id, { progress: newest }, nowMs()),
    (error) => logger.warn('The progress was not stored.', errorFields(error)),
  );
  const report = (newest: unknown) => {
    isOutOfTime = remainingMs() < LAST_MS;
    if (isOutOfTime) throw new Error('The time of the function is used up.');
    progress.add(newest);
  };
  try {
    const result = await inBackground(work as W, context, report);
    await progress.stored();
    await changes.update(id, { state: 'DONE', result }, nowMs());
  } catch (error) {
    await progress.stored();
    if (isOutOfTime) return invokeAgain(event);
    const problem = operatorMessage(error);
    if (problem !== undefined) return changes.update(id, { state: 'FAILED', problem }, nowMs());
    if (attempts >= MOST_ATTEMPTS)
      await changes.update(id, { state: 'FAILED', problem: faultMessage(error, requestId) }, nowMs());
    logger.error('operator request', errorFields(error));
    // Lambda repeats the invocation, which the change allows.
    throw error;
  }
}

/** Stores one value after another. Of those that arrive while one is being stored, only the newest is stored. */
function newestFirst(store: (value: unknown) => Promise<void>, onError: (error: unknown) => void) {
  const waiting: unknown[] = [];
  let stored: Promise<void> | undefined;
  async function storeAll(): Promise<void> {
    while (waiting.length > 0) {
      const newest = waiting.pop();
      waiting.length = 0;
      await store(newest).catch(onError);
    }
    stored = undefined;
  }
  return {
    add(value: unknown): void {
      waiting.push(value);
      stored ??= storeAll();
    },
    stored: async () => stored,
  };
}
