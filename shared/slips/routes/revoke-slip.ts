import * as v from 'valibot';
import { caller } from '../../accounts/middleware/caller.ts';
import { keyRun } from '../../accounts/middleware/key-run.ts';
import { type AuditTable, auditTable } from '../../audit/audit-table.ts';
import { auditRecorder } from '../../audit/recorder.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { ServiceError } from '../../core/errors.ts';
import { REQUEST_ID } from '../../core/request-id.ts';
import type { Run } from '../../http/public-route.ts';
import { noQuery, readQuery } from '../../http/query.ts';
import { readJson } from '../../http/read-json.ts';
import { parseBody, problem } from '../../verifications/parse-body.ts';
import { type WithdrawalDependencies, withdrawalDependencies, withdrawSlip } from '../withdraw-slip.ts';

const NOT_AN_ID = problem(
  'must be a request ID, such as req_0a1b2c3d4e5f.',
  'Send the request ID that is printed on the slip.',
);

export const revokeSlipBody = v.strictObject({
  request_id: v.pipe(
    v.string(),
    v.check((text) => REQUEST_ID.test(text), NOT_AN_ID),
  ),
});

const HINT = 'Send the request ID that is printed on the slip, with a key of the same environment.';

interface RevocationDependencies extends WithdrawalDependencies {
  readonly audit: Pick<AuditTable, 'entryItem'>;
}

const revocationDependencies = (): RevocationDependencies => ({
  ...withdrawalDependencies(),
  audit: auditTable(database(), setting('AUDIT_TRAIL_TABLE')),
});

/**
 * POST /v1/ng/nin/slip/revoke: withdraws a slip of the caller. An unknown ID and that of another organisation get the
 * same response.
 */
export function revokeSlip(deps: RevocationDependencies = revocationDependencies()): Run {
  return async (requestContext, event) => {
    const { env, organisation } = caller.of(requestContext);
    readQuery(event, noQuery, revokeSlipBody);
    const { request_id: requestId } = parseBody(revokeSlipBody, readJson(event));
    const organisationId = organisation.id;
    const run = keyRun(requestContext, event, 'slip withdraw', deps.nowMs());
    const change = { organisationId, target: `${env} slip ${requestId}`, after: { isWithdrawn: true } };
    const record = auditRecorder(deps.audit, run, deps.nowMs).record(change);
    if (!(await withdrawSlip({ env, organisationId }, requestId, deps, record)))
      throw new ServiceError('VERIFICATION_LOG_NOT_FOUND', {
        message:
          'Your organisation has made no slip with this request ID in this environment (live or test).',
        details: { reason: 'not_verified', field: 'request_id', hint: HINT },
      });
    return {
      kind: 'information',
      code: 'SLIP_WITHDRAWN',
      message: 'Slip withdrawn.',
      data: { environment: env, request_id: requestId, is_withdrawn: true },
    };
  };
}
