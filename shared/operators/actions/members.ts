import * as v from 'valibot';
import { ServiceError } from '../../core/errors.ts';
import { ROLES } from '../../core/member-role.ts';
import { isEmailAddress } from '../../members/email-address.ts';
import { isPersonId } from '../../members/session.ts';
import { type ActionOutcome, action, done } from '../action.ts';
import * as field from '../fields.ts';
import type { MadeChange } from '../make-change.ts';
import { membersOf, ownersOf } from '../operations/members.ts';
import { makeOrRequest } from '../second-person.ts';

const email = v.pipe(v.string(), v.toLowerCase(), v.check(isEmailAddress, 'Use an email address.'));

export const inviteMember = action({
  body: v.strictObject({ organisation: field.organisationId, email, role: v.picklist(ROLES) }),
  run: ({ organisation: organisationId, ...what }, context) =>
    makeOrRequest({ work: 'invitation', ...what }, { organisationId }, context),
});

export const removeMember = action({
  /** `member`: the ID or email address. */
  body: v.strictObject({ organisation: field.organisationId, member: v.string() }),
  async run(
    { organisation: organisationId, member },
    context,
  ): Promise<ActionOutcome<MadeChange<'removal'>>> {
    const members = membersOf(context);
    const found = await members.findMember(organisationId, member);
    const { personId, role } = found;
    if (role === 'owner') {
      const requireOther = async () => {
        if ((await ownersOf(organisationId, context)).length < 2) throw new ServiceError('LAST_OWNER');
      };
      return makeOrRequest({ work: 'removal', personId }, { organisationId }, context, requireOther);
    }
    await members.removeMember(found);
    return done({ personId, email: found.email });
  },
});

export const eraseMember = action({
  body: v.strictObject({ person: v.pipe(v.string(), v.check(isPersonId, 'Use the ID of a person.')) }),
  run: async ({ person }, context) => done({ memberships: await membersOf(context).eraseMember(person) }),
});
