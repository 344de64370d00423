import type { LedgerTables } from './dependencies.ts';
import type { Operation, OperationFacts } from './operation.ts';
import type { Charge } from './rows/charge.ts';

/**
 * Ends a free repeat of a charged operation: its own log row with 0 credits, and the count given back where it hands
 * over no data. Throws where the log row could not be written: then no data may leave either.
 */
export async function finishReplay(
  operation: Operation,
  replayOf: Charge,
  keyHash: string,
  facts: OperationFacts,
  tables: LedgerTables,
): Promise<void> {
  const { wallet, numberTag, id, requestId, service, keyLabel, requestedAtMs } = operation;
  if (facts.outcome !== 'FOUND')
    await tables.idempotency.returnReplay(wallet, keyHash, replayOf.operationId, id).catch(() => undefined);
  await tables.log.writeOnce({
    wallet,
    numberTag,
    operationId: id,
    requestId,
    service,
    ...facts,
    creditsCharged: 0,
    keyLabel,
    requestedAt: new Date(requestedAtMs).toISOString(),
    replayOf: replayOf.operationId,
  });
}
