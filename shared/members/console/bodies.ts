import * as v from 'valibot';
import { ROLES } from '../../core/member-role.ts';

/** The body of POST /session/organisation. */
export const switchBody = v.strictObject({ organisation_id: v.string() });
export type SwitchBody = v.InferInput<typeof switchBody>;

/** The body of POST /session/end. `everywhere`: ends all sessions of the person, on all devices. */
export const endSessionBody = v.strictObject({ everywhere: v.boolean() });
export type EndSessionBody = v.InferInput<typeof endSessionBody>;

/** The body of POST /organisations. */
export const createOrganisationBody = v.strictObject({ name: v.string() });
export type CreateOrganisationBody = v.InferInput<typeof createOrganisationBody>;

/** The body of POST /invitations. */
export const inviteBody = v.strictObject({ email: v.string(), role: v.picklist(ROLES) });
export type InviteBody = v.InferInput<typeof inviteBody>;

/** The body of POST /invitations/accept. */
export const acceptBody = v.strictObject({ token: v.pipe(v.string(), v.maxLength(100)) });
export type AcceptInvitationBody = v.InferInput<typeof acceptBody>;

/** The body of PUT /members/{id}. */
export const changeMemberBody = v.strictObject({ role: v.picklist(ROLES) });
export type ChangeMemberBody = v.InferInput<typeof changeMemberBody>;
