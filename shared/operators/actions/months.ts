import * as v from 'valibot';
import { accepted, action } from '../action.ts';
import * as field from '../fields.ts';
import { monthsOf } from '../operations/months.ts';
import { makeOrRequest } from '../second-person.ts';

/** The most problems that a result names: it is stored in one row. */
const MOST_PROBLEMS = 500;

export const closeMonth = action({
  /** Without an organisation, the wallets of all organisations. */
  body: v.strictObject({
    month: field.month,
    env: field.environment,
    organisation: v.optional(field.organisationId),
  }),
  run: async ({ month, env, organisation }, { clock }) =>
    accepted({ month, env, organisationId: organisation, startedMs: clock.nowMs() }),
  /** Repeating it changes nothing for wallets that are closed. */
  async inBackground({ startedMs, ...scope }, context, report) {
    const { closed, open } = await monthsOf(context).closeMonths(scope, context.actor, (done, total) =>
      report({ done, total }),
    );
    const startedAt = new Date(startedMs).toISOString();
    const closedNow = closed.filter(
      ({ existed, closing }) => !existed || (closing.closedAt ?? '') >= startedAt,
    ).length;
    return { closed: closed.length, closedNow, open: open.slice(0, MOST_PROBLEMS) };
  },
});

export const reopenMonth = action({
  body: v.strictObject({
    month: field.month,
    organisation: field.organisationId,
    env: field.environment,
    reason: field.reason,
  }),
  run({ month, organisation: organisationId, env, reason }, context) {
    const wallet = { env, organisationId };
    return makeOrRequest({ work: 'reopen', month, reason }, wallet, context, () =>
      monthsOf(context).checkReopening({ wallet, month, reason }),
    );
  },
});
