import * as v from 'valibot';
import { ROLES } from '../../core/member-role.ts';

export const switchBody = v.strictObject({ organisation_id: v.string() });
export type SwitchBody = v.InferInput<typeof switchBody>;

/** The body of POST /session/end. `everywhere`: ends all sessions of the person, on all devices. */
export const endSessionBody = v.strictObject({ everywhere: v.boolean() });
export type EndSessionBody = v.InferInput<typeof endSessionBody>;

export const signUpBody = v.strictObject({ email: v.string() });
export type SignUpBody = v.InferInput<typeof signUpBody>;

export const createOrganisationBody = v.strictObject({ name: v.string() });
export type CreateOrganisationBody = v.InferInput<typeof createOrganisationBody>;

export const inviteBody = v.strictObject({ email: v.string(), role: v.picklist(ROLES) });
export type InviteBody = v.InferInput<typeof inviteBody>;

export const acceptBody = v.strictObject({ token: v.pipe(v.string(), v.maxLength(100)) });
export type AcceptInvitationBody = v.InferInput<typeof acceptBody>;

export const changeMemberBody = v.strictObject({ role: v.picklist(ROLES) });
export type ChangeMemberBody = v.InferInput<typeof changeMemberBody>;
