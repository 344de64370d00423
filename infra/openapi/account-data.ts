import * as v from 'valibot';
import { ENVIRONMENTS } from '../../shared/core/environment.ts';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { REQUEST_ID } from '../../shared/core/request-id.ts';
import { BANK_ROWS, type BankKind } from '../../shared/registries/mapping/bank-rows.ts';
import { LOOK_UP_ROUTES, SERVICE_NAMES } from '../../shared/verifications/services.ts';

/** The schemas of `data` in the short envelope (contract C1). Times are ISO 8601 in UTC. */

const BANK_KINDS = Object.keys(BANK_ROWS) as BankKind[];
const environment = v.picklist(ENVIRONMENTS);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const credits = v.pipe(v.number(), v.integer());
const time = v.pipe(v.string(), v.isoTimestamp());
const requestId = v.pipe(v.string(), v.regex(REQUEST_ID));
const state = v.picklist(['up', 'degraded', 'down']);

/** GET /v1/wallet/balance */
export const balanceData = v.strictObject({
  environment,
  available: count,
  held: count,
  currency: v.literal('credits'),
});

export const transaction = v.strictObject({
  id: v.string(),
  type: v.picklist(['debit', 'credit']),
  amount: credits,
  created_at: time,
  balance_after: credits,
  request_id: v.nullable(requestId),
  service: v.nullable(v.picklist(SERVICE_NAMES)),
  key_label: v.nullable(v.string()),
  reference: v.nullable(v.string()),
  kind: v.picklist(['CHARGE', 'TOP_UP', 'CORRECTION']),
  reason: v.nullable(v.string()),
});

/** POST /v1/ng/nin/slip/revoke */
export const slipWithdrawalData = v.strictObject({
  environment,
  request_id: requestId,
  /** Always true. */
  is_withdrawn: v.boolean(),
});

const text = v.string();
export const organisationOfKey = v.strictObject({
  id: text,
  name: text,
  status: v.picklist(['PENDING', 'APPROVED']),
});
export const keyDetails = v.strictObject({ label: text, last_four: text, expires_at: v.nullable(time) });
export const keyLimits = v.strictObject({ requests_per_second: v.number(), burst: count });
export const serviceAccess = v.strictObject({
  service: v.picklist(SERVICE_NAMES),
  is_enabled: v.boolean(),
  access: v.picklist(['full', 'match_only', 'none']),
  credits: count,
});

/** GET /v1/me */
export const meData = v.strictObject({
  environment,
  organisation: organisationOfKey,
  key: keyDetails,
  scopes: v.array(text),
  limits: keyLimits,
  services: v.array(serviceAccess),
});

const code = v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{2,10}$/));
const codeOrEmpty = v.pipe(v.string(), v.regex(/^(?:|[0-9]{3,6})$/));

export const bank = v.strictObject({
  name: v.string(),
  short_name: v.string(),
  kind: v.picklist(BANK_KINDS),
  cbn_code: codeOrEmpty,
  nip_code: codeOrEmpty,
  provider_codes: v.record(v.string(), code),
});

/** GET /v1/banks */
export const banksData = v.strictObject({ banks: v.array(bank) });

/** GET /v1/wallet/transactions */
export const transactionsData = v.strictObject({
  environment,
  from: time,
  to: time,
  opening_balance: credits,
  transactions: v.array(transaction),
  closing_balance: credits,
  next_cursor: v.nullable(v.string()),
});

const httpStatus = v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599));

export const verification = v.strictObject({
  request_id: requestId,
  service: v.picklist(SERVICE_NAMES),
  verification_type: v.picklist(ID_TYPES),
  outcome: v.picklist([
    'FOUND',
    'NOT_FOUND',
    'FAILED',
    'UNREACHABLE',
    'TIMEOUT',
    'ERROR',
    'ABANDONED',
    'REFUSED',
  ]),
  http_status: httpStatus,
  credits_charged: count,
  is_replay: v.boolean(),
  replay_of: v.nullable(requestId),
  provider: v.string(),
  key_label: v.string(),
  latency_ms: count,
  requested_at: time,
  reference: v.nullable(v.string()),
});

/** GET /v1/verifications/{request_id} */
export const verificationData = v.strictObject({
  environment,
  ...verification.entries,
  consent: v.nullable(v.string()),
  reason: v.nullable(v.string()),
});

/**
 * `since` is when the current status began. For a registry that is up: its last recorded recovery, or null if there is
 * none.
 */
export const registryState = v.strictObject({
  provider: v.string(),
  environment,
  status: state,
  since: v.nullable(time),
});

/** The dependencies of the service. */
export const serviceParts = v.strictObject({ database: state });

export const rejectedRequests = v.strictObject({
  minute: time,
  code: v.string(),
  http_status: httpStatus,
  count: v.pipe(v.number(), v.integer(), v.minValue(1)),
  route: v.string(),
  key_label: v.string(),
  request_id: requestId,
});

export const keyUse = v.strictObject({
  route: v.picklist(LOOK_UP_ROUTES),
  key_state: v.picklist(['charged', 'not_charged', 'in_progress']),
  request_id: requestId,
  requested_at: time,
  credits_charged: count,
  replays_left: count,
});

/** GET /v1/verifications */
export const verificationsData = v.strictObject({
  environment,
  from: time,
  to: time,
  key_uses: v.optional(v.array(keyUse)),
  verifications: v.array(verification),
  rejected: v.array(rejectedRequests),
  next_cursor: v.nullable(v.string()),
});

/** GET /v1/health */
export const healthData = v.strictObject({
  status: state,
  parts: serviceParts,
  registries: v.array(registryState),
});
