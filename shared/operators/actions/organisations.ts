import * as v from 'valibot';
import type { Organisation } from '../../accounts/organisation.ts';
import { SERVICE_NAMES } from '../../verifications/services.ts';
import { type ActionOutcome, action, done } from '../action.ts';
import * as field from '../fields.ts';
import { notifyOwners } from '../notify-owners.ts';
import { membersOf } from '../operations/members.ts';
import { organisationsOf } from '../operations/organisations.ts';
import { makeOrRequest } from '../second-person.ts';

/** Changes to organisations, and to the services and prices of their live keys. */

export const createOrganisation = action({
  body: v.strictObject({ name: field.name }),
  run: async ({ name }, context) => done(await organisationsOf(context).createOrganisation(name)),
});

export const approveOrganisation = action({
  body: v.strictObject({ organisation: field.organisationId, profile: v.optional(v.number()) }),
  async run({ organisation, profile }, context) {
    const { getOrganisation, approve } = organisationsOf(context);
    const { requireReview, keepProfile } = membersOf(context);
    const before = await getOrganisation(organisation);
    await requireReview(before, profile);
    const approved = await approve(organisation);
    await keepProfile(organisation);
    // A repeated command changes nothing.
    if (before.status !== 'APPROVED') await notifyOwners(organisation, 'live access was approved', context);
    return done(approved);
  },
});

export const suspendOrganisation = action({
  body: v.strictObject({ organisation: field.organisationId, reason: v.optional(field.plainReason) }),
  async run({ organisation, reason }, context) {
    const { getOrganisation, suspend } = organisationsOf(context);
    const { status } = await getOrganisation(organisation);
    const suspended = await suspend(organisation, reason);
    if (status !== 'SUSPENDED')
      await notifyOwners(organisation, 'all access to the API was suspended', context, { because: reason });
    return done(suspended);
  },
});

export const setRate = action({
  body: v.strictObject({ organisation: field.organisationId, perSecond: field.count, burst: field.count }),
  run: async ({ organisation, ...rate }, context) =>
    done(await organisationsOf(context).setRate(organisation, rate)),
});

export const setLowBalance = action({
  /** Without credits, the stage's threshold applies. */
  body: v.strictObject({ organisation: field.organisationId, credits: v.optional(field.count) }),
  run: async ({ organisation, credits }, context) =>
    done(await organisationsOf(context).setLowBalance(organisation, credits)),
});

/** Services, or ID types for all of their services. */
const services = v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(SERVICE_NAMES.length));

export const enableServices = action({
  body: v.strictObject({
    organisation: field.organisationId,
    services,
    bvnBasis: v.optional(field.reason),
  }),
  run: async ({ organisation, services: names, bvnBasis }, context) =>
    done(await organisationsOf(context).enableServices(organisation, names, bvnBasis)),
});

export const disableServices = action({
  body: v.strictObject({ organisation: field.organisationId, services }),
  run: async (input, context) =>
    done(await organisationsOf(context).disableServices(input.organisation, input.services)),
});

export const setServicePrice = action({
  body: v.strictObject({ organisation: field.organisationId, service: v.string(), credits: field.count }),
  async run({ organisation, service, credits }, context): Promise<ActionOutcome<Organisation>> {
    const { changesPrice, getOrganisation } = organisationsOf(context);
    // A repeated command needs no second person.
    if (!(await changesPrice(organisation, service, credits)))
      return done(await getOrganisation(organisation));
    const order = { work: 'service-price', service, credits } as const;
    return makeOrRequest(order, { organisationId: organisation }, context);
  },
});
