import type { OrganisationName, OrganisationStatus } from '../../accounts/console/views.ts';
import type { Role } from '../../core/member-role.ts';

/** GET /session */
export interface SessionView {
  readonly person: { readonly id: string; readonly name: string; readonly email: string };
  readonly signed_in_at: string;
  /** Null if the person belongs to no organisation. */
  readonly organisation:
    | (OrganisationName & {
        readonly status: OrganisationStatus;
        /** Null unless it is suspended and the operator gave a reason. */
        readonly suspended_because: string | null;
        readonly role: Role;
      })
    | null;
  /** All organisations of the person. */
  readonly organisations: readonly (OrganisationName & { readonly role: Role })[];
  readonly stage: 'local' | 'dev' | 'staging' | 'prod';
  /** The address of the API, without `/v1`, for code samples. */
  readonly api_url: string;
  readonly documentation_url: string;
  readonly terms: { readonly version: string; readonly url: string };
  readonly support_contact: string;
}

export interface EndSessionView {
  /** The address that the browser opens next, so that the identity provider also ends its session. */
  readonly sign_out_url: string;
}

/** GET /members */
export interface MembersView {
  readonly members: readonly MemberView[];
  readonly invitations: readonly InvitationView[];
}

export interface MemberView {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly since: string;
  /** The day of their last sign-in (`yyyy-mm-dd`, Africa/Lagos). Null if it is not known. */
  readonly last_sign_in: string | null;
  /** The name of the member who invited them. Null if no member did. */
  readonly invited_by: string | null;
  readonly is_you: boolean;
}

export interface InvitationView {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string | null;
  readonly expires_at: string;
}
