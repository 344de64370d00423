import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

const TABLES = `
  CREATE TABLE organisations (id text PRIMARY KEY, name text NOT NULL, status text NOT NULL);
  CREATE TABLE api_keys (
    hash bytea PRIMARY KEY, organisation_id text NOT NULL REFERENCES organisations, label text NOT NULL, status text NOT NULL,
    per_second int NOT NULL, burst int NOT NULL);
  CREATE TABLE subscriptions (
    organisation_id text NOT NULL REFERENCES organisations, service text NOT NULL, price bigint NOT NULL,
    ends_at timestamptz NOT NULL, PRIMARY KEY (organisation_id, service));
  CREATE TABLE rate_limits (hash bytea PRIMARY KEY REFERENCES api_keys, tat_ms double precision NOT NULL);
  CREATE TABLE wallets (
    organisation_id text PRIMARY KEY REFERENCES organisations, available bigint NOT NULL CHECK (available >= 0),
    held bigint NOT NULL CHECK (held >= 0));
  CREATE TABLE operations (
    id uuid PRIMARY KEY, organisation_id text NOT NULL REFERENCES wallets, idempotency_key text NOT NULL,
    request_id text NOT NULL, service text NOT NULL, cost bigint NOT NULL, state text NOT NULL,
    expires_at timestamptz NOT NULL, decided_at timestamptz, UNIQUE (organisation_id, idempotency_key));
  CREATE TABLE verification_logs (
    operation_id uuid PRIMARY KEY REFERENCES operations, organisation_id text NOT NULL, number_tag text NOT NULL,
    key_label text NOT NULL, service text NOT NULL, outcome text NOT NULL, http_status int NOT NULL,
    credits_charged bigint NOT NULL, provider text NOT NULL, latency_ms int NOT NULL, requested_at timestamptz NOT NULL);
  CREATE INDEX ON verification_logs (organisation_id, requested_at);
  CREATE INDEX ON verification_logs (organisation_id, number_tag);
`;

const ORGANISATION = 'bench';

/** Creates the tables, and an organisation with this API key and a million credits. */
export async function createSchema(pool: Pool, apiKey: string): Promise<void> {
  const hash = createHash('sha256').update(apiKey).digest();
  await pool.query(TABLES);
  await pool.query(`INSERT INTO organisations VALUES ($1, 'Bench', 'ACTIVE')`, [ORGANISATION]);
  await pool.query(`INSERT INTO api_keys VALUES ($1, $2, 'bench', 'ACTIVE', 10000, 10000)`, [
    hash,
    ORGANISATION,
  ]);
  await pool.query(`INSERT INTO subscriptions VALUES ($1, 'nin-basic', 1, now() + interval '1 year')`, [
    ORGANISATION,
  ]);
  await pool.query('INSERT INTO wallets VALUES ($1, 1000000, 0)', [ORGANISATION]);
}
