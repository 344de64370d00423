import { createHash } from 'node:crypto';

/** Replaces values that differ from run to run with fixed, well-formed values, so that examples can be compared. */

const TIME = '2026-01-15T09:30:00.000Z';
const UUID = '3f2b8c1e-5d47-4a90-9c6e-1b7d20e8f4a3';
/** A multiple of 4, so that the Base64 text can still be decoded. */
const PICTURE_LENGTH = 64;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

const FIXED: Readonly<Record<string, (value: unknown, requestId: string) => unknown>> = {
  issued_at: () => TIME,
  opened_at: () => TIME,
  expires_at: (value) => (value === null ? null : '2026-01-16T09:30:00.000Z'),
  paid_at: () => TIME,
  credited_at: (value) => (value === null ? null : TIME),
  month: () => '2026-01',
  number: () => 'TEST-IDV-2026-000041',
  invoice: (value) => (value === null ? null : 'TEST-IDV-2026-000041'),
  receipt: (value) => (value === null ? null : 'TEST-IDVR-2026-000041'),
  top_up: (value) => (value === null ? null : 'invoice-1042'),
  content_sha256: () => '8d4f2b7c'.repeat(8),
  checkout_url: () => 'https://checkout.paystack.com/0peioxfhpn',
  request_id: (value, requestId) => (value === null ? null : requestId),
  timestamp: () => TIME,
  from: () => '2026-01-01T00:00:00.000Z',
  to: () => TIME,
  created_at: () => TIME,
  requested_at: () => TIME,
  minute: () => TIME,
  id: (value) => (ULID.test(String(value)) ? '01KF0ZB7M0EXAMP1E00000000V' : 'invoice-1042'),
  // The reference of a payment differs from run to run; that of a request does not.
  reference: (value) => {
    if (String(value).startsWith('TOPUP-')) return 'TOPUP-01KF0ZB7M0EXAMP1E00000000V';
    return value === null || value === 'customer-4711' ? value : 'invoice-1042';
  },
  reason: (value) => (value === null ? null : 'Top-up by bank transfer'),
  key_label: (value) => (value === null ? null : 'backend'),
  latency_ms: () => 412,
  // The hold of a charged request settles a moment later.
  held: () => 0,
  // Until then, its credit remains in its lot. On the page, 13 requests each use one credit of a lot of 1,000.
  remaining: (value) => (Number(value) >= 987 && Number(value) < 1_000 ? 987 : value),
  organisation: (value) => ({ ...Object(value), id: 'a1B2c3D4e5', name: 'Example Bank Ltd' }),
  key: (value) => ({ ...Object(value), label: 'backend', last_four: '7Qx2' }),
  limits: () => ({ requests_per_second: 10, burst: 20 }),
  // The whole lists would make the document much longer.
  services: (value) => (value as readonly unknown[]).slice(0, 2),
  banks: (value) => (value as readonly unknown[]).slice(0, 3),
  // One affiliate shows the form of all of them.
  affiliatesData: (value) => (value as readonly unknown[]).slice(0, 1),
  photo: (value) => String(value).slice(0, PICTURE_LENGTH),
  signature: (value) => String(value).slice(0, PICTURE_LENGTH),
};

/** Returns the example as the document shows it. Its request ID is derived from its name. */
export function normalised(name: string, value: unknown): unknown {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return fixed(healthy(value), `req_${digest}`);
}

/** Sets every status in a health response to `up`, because other tests change the state of the local service. */
function healthy(value: unknown): unknown {
  const response = value as { code?: string; data?: { registries?: readonly object[] } } | null;
  if (response?.code !== 'HEALTH' || !response.data) return value;
  const registries = response.data.registries?.map((registry) => ({
    ...registry,
    status: 'up',
    since: null,
  }));
  return { ...response, data: { ...response.data, status: 'up', parts: { database: 'up' }, registries } };
}

function fixed(value: unknown, requestId: string): unknown {
  if (Array.isArray(value)) return value.map((item) => fixed(item, requestId));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    // The reasons for errors are the same in every run.
    if (name === 'error') return [name, inner];
    const fix = FIXED[name];
    return [name, fix ? fix(inner, requestId) : fixed(inner, requestId)];
  });
  return Object.fromEntries(entries);
}

export function normalisedApiGateway(template: string): unknown {
  return JSON.parse(template.replaceAll('$context.requestId', UUID));
}
