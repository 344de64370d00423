import * as v from 'valibot';
import { notPossible } from '../../core/not-possible.ts';
import { withdrawSlip as withdraw } from '../../slips/withdraw-slip.ts';
import { withdrawnTable } from '../../slips/withdrawn-table.ts';
import { logTable } from '../../verifications/log-table.ts';
import { action, done } from '../action.ts';
import * as field from '../fields.ts';
import { organisationsIn, requireOrganisation } from '../operations/organisations.ts';

/** Needs no second person, so that nobody can rely on a leaked slip any more. */
export const withdrawSlip = action({
  body: v.strictObject({
    organisation: field.organisationId,
    env: field.environment,
    requestId: field.requestId,
  }),
  async run({ organisation: organisationId, env, requestId }, context) {
    const { client, tables, slipSecret, logRetentionDays } = context.deployment;
    await requireOrganisation(organisationsIn(context), organisationId);
    const deps = {
      log: logTable(client, client, tables.verificationLogs, logRetentionDays),
      withdrawn: withdrawnTable(client, tables.apiKeys),
      slipSecret,
      nowMs: context.clock.nowMs,
    };
    const change = { organisationId, target: `${env} slip ${requestId}`, after: { isWithdrawn: true } };
    if (!(await withdraw({ env, organisationId }, requestId, deps, context.recorder.record(change))))
      throw notPossible(
        `Organisation ${organisationId} has made no slip with the request ID ${requestId} in the ${env} environment, or it has expired.`,
      );
    return done({ requestId });
  },
});
