import * as v from 'valibot';
import { ID_TYPES } from '../../core/id-types.ts';
import { type ActionOutcome, accepted, action, done } from '../action.ts';
import * as field from '../fields.ts';
import { type MadeChange, makeChange } from '../make-change.ts';
import type { OrderOf, OrderTarget } from '../operations/approved-order.ts';
import { hashOfText } from '../operations/keys.ts';
import { privacyOf } from '../operations/privacy.ts';
import { privacyReportsOf } from '../operations/privacy-reports.ts';
import { isRequestNeeded, request } from '../second-person.ts';

/** One person's number in one organisation. */
const person = {
  organisation: field.organisationId,
  env: field.environment,
  idType: v.picklist(ID_TYPES),
  number: v.string(),
};

export const exportPerson = action({
  body: v.strictObject(person),
  run: async ({ organisation, env, idType, number }, context) =>
    done(await privacyReportsOf(context).exportPerson({ env, organisationId: organisation }, idType, number)),
});

interface ErasureWork {
  readonly order: OrderOf<'erasure'>;
  readonly target: OrderTarget;
}

export const erasePerson = action({
  body: v.strictObject(person),
  async run(
    { organisation, env, idType, number },
    context,
  ): Promise<ActionOutcome<MadeChange<'erasure'>, ErasureWork>> {
    const target = { env, organisationId: organisation };
    const numberTags = await privacyOf(context).tagsOf(target, idType, number);
    const order = { work: 'erasure', idType, numberTags } as const;
    if (!(await isRequestNeeded(order, target, context))) return accepted({ order, target });
    return { kind: 'requested', requested: await request(order, target, context) };
  },
  inBackground: ({ order, target }, context, report) =>
    makeChange(order, target, context, context.actor, report),
});

export const countImpact = action({
  body: v.strictObject({
    organisation: field.organisationId,
    env: field.environment,
    /** The label, the hash, the start of the hash, or the key itself. */
    key: v.pipe(field.keyName, v.transform(hashOfText)),
    from: field.time,
    to: field.time,
  }),
  run: async (input) => accepted(input),
  inBackground: ({ organisation, env, ...query }, context, report) =>
    privacyReportsOf(context).keyImpact({ env, organisationId: organisation }, query, (rows) =>
      report({ rows }),
    ),
});
