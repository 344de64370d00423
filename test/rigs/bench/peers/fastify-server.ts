import { createHash, createHmac, randomUUID } from 'node:crypto';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { Pool } from 'pg';
import { envelopeText } from '../../../../shared/http/envelope.ts';
import { readSandboxResult } from '../../../../shared/registries/providers/sandbox/result.ts';
import { SECRET_HEADER } from '../../../../shared/registries/sandbox/protocol.ts';
import { requestJson } from '../../../../shared/registries/transport/http-client.ts';
import { verifiedEnvelope } from '../../../../shared/verifications/middleware/look-up-response.ts';
import { viewOf } from '../../../../shared/verifications/views.ts';
import { charge, type PeerOperation, release, reserve } from './ledger.ts';
import { POSTGRES_USER } from './postgres.ts';
import { createSchema } from './schema.ts';

/**
 * A verification service as a long-running server, built with Fastify and PostgreSQL: the same checks in the same
 * order, the same registry, HTTP client, view and envelope, one log line, and no metrics.
 */

const bodySchema = {
  type: 'object',
  required: ['id_number'],
  additionalProperties: false,
  properties: {
    id_number: { type: 'string', pattern: '^[0-9]{11}$' },
    consent: { type: 'string' },
    reason: { type: 'string' },
  },
};

interface Account {
  readonly organisation_id: string;
  readonly label: string;
  readonly per_second: number;
  readonly burst: number;
  readonly is_active: boolean;
  readonly price: string | null;
}

type VerifyRequest = FastifyRequest<{ Body: { readonly id_number: string } }>;

const ACCOUNT = {
  name: 'account',
  text: `SELECT k.organisation_id, k.label, k.per_second, k.burst, k.status = 'ACTIVE' AND o.status = 'ACTIVE' AS is_active,
      s.price FROM api_keys k JOIN organisations o ON o.id = k.organisation_id
    LEFT JOIN subscriptions s ON s.organisation_id = o.id AND s.service = 'nin-basic' AND s.ends_at > now()
    WHERE k.hash = $1`,
};
const RATE_LIMIT = {
  name: 'rate-limit',
  text: `INSERT INTO rate_limits VALUES ($1, $2::double precision + $3) ON CONFLICT (hash) DO UPDATE
    SET tat_ms = GREATEST(rate_limits.tat_ms, $2) + $3 WHERE rate_limits.tat_ms <= $2 + $4 RETURNING tat_ms`,
};

/** Starts the server on a free port of the loopback interface. Returns its address. */
export async function startFastify(socketDirectory: string, apiKey: string): Promise<string> {
  const pool = new Pool({ host: socketDirectory, user: POSTGRES_USER, database: 'postgres' });
  await createSchema(pool, apiKey);
  const app = fastify({ logger: true });
  app.post('/v1/ng/nin-basic', { schema: { body: bodySchema } }, (request, reply) =>
    verify(pool, request as VerifyRequest, reply),
  );
  return app.listen({ host: '127.0.0.1', port: 0 });
}

async function verify(pool: Pool, request: VerifyRequest, reply: FastifyReply): Promise<string> {
  const requestedAt = new Date();
  const hash = createHash('sha256')
    .update((request.headers.authorization ?? '').replace(/^Bearer /, ''))
    .digest();
  const account = (await pool.query<Account>({ ...ACCOUNT, values: [hash] })).rows[0];
  if (!account?.is_active) return reject(reply, 401, 'INVALID_API_KEY');
  const { per_second: perSecond, burst } = account;
  const limit = [hash, Date.now(), 1_000 / perSecond, (burst * 1_000) / perSecond];
  const { rowCount } = await pool.query({ ...RATE_LIMIT, values: limit });
  if (rowCount === 0) return reject(reply, 429, 'RATE_LIMITED');
  if (account.price === null) return reject(reply, 401, 'SUBSCRIPTION_REQUIRED');

  const number = request.body.id_number;
  const operation: PeerOperation = {
    id: randomUUID(),
    organisationId: account.organisation_id,
    idempotencyKey: String(request.headers['idempotency-key'] ?? request.id + requestedAt.getTime()),
    requestId: request.id,
    cost: Number(account.price),
  };
  const reserved = await reserve(pool, operation);
  if (reserved === 'short') return reject(reply, 402, 'INSUFFICIENT_FUNDS');
  if (reserved === 'duplicate') return reject(reply, 409, 'REQUEST_IN_PROGRESS');
  const found = await lookUp(number);
  if (found?.kind !== 'found') {
    await release(pool, operation);
    return reject(reply, 503, 'SERVICE_UNAVAILABLE');
  }
  const numberTag = createHmac('sha256', process.env['SANDBOX_KEY'] ?? '')
    .update(number)
    .digest('base64url');
  const latencyMs = Date.now() - requestedAt.getTime();
  await charge(pool, operation, { numberTag, keyLabel: account.label, latencyMs, requestedAt });
  const meta = { request_id: request.id, timestamp: requestedAt.toISOString() };
  reply.type('application/json');
  return envelopeText(verifiedEnvelope('NIN', 'Sandbox', viewOf('nin-basic', found.record), meta));
}

async function lookUp(number: string) {
  const deadlineMs = Date.now() + 20_000;
  const answer = await requestJson({
    method: 'POST',
    url: new URL(process.env['SANDBOX_URL'] ?? ''),
    headers: { [SECRET_HEADER]: process.env['SANDBOX_KEY'] ?? '' },
    body: { id_type: 'NIN', number },
    deadlineMs,
  });
  if (answer.kind !== 'response' || answer.status !== 200) return undefined;
  return readSandboxResult({ idType: 'NIN', level: 'basic', number, deadlineMs }, answer.json);
}

function reject(reply: FastifyReply, status: number, code: string): string {
  reply.code(status).type('application/json');
  return JSON.stringify({ success: false, code });
}
