import type { LambdaHandler } from '../../../../shared/http/chain.ts';
import type { Stage } from './stage.ts';
import { eventOf, invoke, newNin } from './verify.ts';
import { type SentCall, startWire } from './wire.ts';

/** Records all calls of this process to the tables and the registry, until the returned stack is disposed. */
export async function layWires(
  stage: Pick<Stage, 'environment'>,
  sent: SentCall[],
): Promise<AsyncDisposableStack> {
  const cleanup = new AsyncDisposableStack();
  for (const name of ['AWS_ENDPOINT_URL_DYNAMODB', 'SANDBOX_URL'] as const) {
    const target = stage.environment[name] ?? '';
    const wire = await startWire(target, sent);
    process.env[name] = name === 'SANDBOX_URL' ? `${wire.url}/` : wire.url;
    cleanup.defer(async () => {
      process.env[name] = target;
      await wire.close();
    });
  }
  return cleanup;
}

/** Returns the calls of one verification for each number ending. Sends another one first, to warm up. */
export async function verifyOnTheWire(
  stage: Pick<Stage, 'environment' | 'live'>,
  endings: readonly string[],
): Promise<Map<string, SentCall[]>> {
  const sent: SentCall[] = [];
  await using _wires = await layWires(stage, sent);
  const { handler } = (await import('../../../../functions/nin-basic.ts')) as { handler: LambdaHandler };
  const stories = new Map<string, SentCall[]>();
  for (const ending of ['0001', ...endings]) {
    sent.length = 0;
    await invoke(handler, eventOf(stage.live, { id_number: newNin(ending) }));
    stories.set(ending, [...sent]);
  }
  return stories;
}
