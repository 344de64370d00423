import { describe, expect, test } from '@jest/globals';
import { notPossible } from '../../../shared/core/not-possible.ts';
import type { ActionContext, Report } from '../../../shared/operators/action.ts';
import { continueInBackground } from '../../../shared/operators/background.ts';

const EVENT = { backgroundId: '01', actor: 'ada', work: { month: '2026-10' } };

/** Runs a change in the background, and returns what was stored and whether the function was invoked again. */
async function run(
  inBackground: (work: unknown, context: ActionContext, report: Report) => Promise<unknown>,
  { attempts = 1, remainingMs = 900_000 } = {},
) {
  const stored: object[] = [];
  const invoked: unknown[] = [];
  const changes = {
    begin: async () => attempts,
    async update(_: string, values: object) {
      stored.push(values);
    },
  };
  const clock = {
    changes,
    async invokeAgain(event: unknown) {
      invoked.push(event);
    },
    remainingMs: () => remainingMs,
    nowMs: () => 1,
    requestId: 'lambda-1',
  };
  const failed = await continueInBackground({ inBackground }, EVENT, {} as ActionContext, clock).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { stored, invoked, failed };
}

class AccessDenied extends Error {
  override readonly name = 'AccessDeniedException';
}

describe('a change in the background', () => {
  test('stores its newest progress, and then its result', async () => {
    const { stored, invoked, failed } = await run(async (work, _, report) => {
      for (const done of [1, 2, 3]) report({ done });
      return work;
    });
    expect(stored).toEqual([
      { progress: { done: 1 } },
      { progress: { done: 3 } },
      { state: 'DONE', result: EVENT.work },
    ]);
    expect({ invoked, failed }).toEqual({ invoked: [], failed: undefined });
  });

  test('is continued by another invocation when the time of its function is nearly used up', async () => {
    const { stored, invoked } = await run(async (_, __, report) => report({ done: 1 }), {
      remainingMs: 59_000,
    });
    expect({ stored, invoked }).toEqual({ stored: [], invoked: [EVENT] });
  });

  test('ends with a message for the operator if it is not possible', async () => {
    const { stored, failed } = await run(async () => {
      throw notPossible('The month has not ended. Nothing was changed.');
    });
    expect(stored).toEqual([{ state: 'FAILED', problem: 'The month has not ended. Nothing was changed.' }]);
    expect(failed).toBeUndefined();
  });

  test.each([1, 2])('is repeated by Lambda after fault %i', async (attempts) => {
    const { stored, failed } = await run(
      async () => {
        throw new AccessDenied('arn:aws:dynamodb');
      },
      { attempts },
    );
    expect({ stored, failed }).toEqual({ stored: [], failed: 'arn:aws:dynamodb' });
  });

  test('ends after the third fault, with the name of the fault and without its message', async () => {
    const { stored } = await run(
      async () => {
        throw new AccessDenied('arn:aws:dynamodb');
      },
      { attempts: 3 },
    );
    expect(stored).toEqual([
      { state: 'FAILED', problem: expect.stringContaining('The change failed (AccessDeniedException).') },
    ]);
    expect(JSON.stringify(stored)).not.toContain('arn:aws:dynamodb');
  });
});
