import type { Pool, PoolClient } from 'pg';

/** The wallet in PostgreSQL: two transactions for each verification, with a lock on the row of the wallet. */

export interface PeerOperation {
  readonly id: string;
  readonly organisationId: string;
  readonly idempotencyKey: string;
  readonly requestId: string;
  readonly cost: number;
}

export interface PeerLog {
  readonly numberTag: string;
  readonly keyLabel: string;
  readonly latencyMs: number;
  readonly requestedAt: Date;
}

const LOCK = 'SELECT available FROM wallets WHERE organisation_id = $1 FOR UPDATE';

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

export function reserve(pool: Pool, operation: PeerOperation): Promise<'held' | 'short' | 'duplicate'> {
  const { id, organisationId, idempotencyKey, requestId, cost } = operation;
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ available: string }>(LOCK, [organisationId]);
    if (Number(rows[0]?.available ?? 0) < cost) return 'short';
    const { rowCount } = await client.query({
      name: 'reserve-operation',
      text: `INSERT INTO operations (id, organisation_id, idempotency_key, request_id, service, cost, state, expires_at)
        VALUES ($1, $2, $3, $4, 'nin-basic', $5, 'HELD', now() + interval '40 seconds') ON CONFLICT DO NOTHING`,
      values: [id, organisationId, idempotencyKey, requestId, cost],
    });
    if (rowCount === 0) return 'duplicate';
    await client.query({
      name: 'reserve-wallet',
      text: 'UPDATE wallets SET available = available - $2, held = held + $2 WHERE organisation_id = $1',
      values: [organisationId, cost],
    });
    return 'held';
  });
}

export function charge(pool: Pool, operation: PeerOperation, log: PeerLog): Promise<void> {
  const { id, organisationId, cost } = operation;
  return inTransaction(pool, async (client) => {
    await client.query(LOCK, [organisationId]);
    const { rowCount } = await client.query({
      name: 'charge-operation',
      text: `UPDATE operations SET state = 'CHARGED', decided_at = now() WHERE id = $1 AND state = 'HELD'`,
      values: [id],
    });
    if (rowCount !== 1) throw new Error('The operation is not held.');
    await client.query({
      name: 'charge-wallet',
      text: 'UPDATE wallets SET held = held - $2 WHERE organisation_id = $1',
      values: [organisationId, cost],
    });
    await client.query({
      name: 'log',
      text: `INSERT INTO verification_logs VALUES ($1, $2, $3, $4, 'nin-basic', 'FOUND', 200, $5, 'sandbox', $6, $7)`,
      values: [id, organisationId, log.numberTag, log.keyLabel, cost, log.latencyMs, log.requestedAt],
    });
  });
}

export function release(pool: Pool, { id, organisationId, cost }: PeerOperation): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(LOCK, [organisationId]);
    await client.query(`UPDATE operations SET state = 'RELEASED', decided_at = now() WHERE id = $1`, [id]);
    await client.query(
      'UPDATE wallets SET available = available + $2, held = held - $2 WHERE organisation_id = $1',
      [organisationId, cost],
    );
  });
}
