import type { OrganisationName, OrganisationStatus } from '../../accounts/console/views.ts';
import type { Role } from '../../core/member-role.ts';

/** GET /session */
export interface SessionView {
  readonly person: { readonly id: string; readonly name: string; readonly email: string };
  readonly signed_in_at: string;
  /** Null if the person belongs to no organisation. */
  readonly organisation:
    | (OrganisationName & { readonly status: OrganisationStatus; readonly role: Role })
    | null;
  /** All organisations of the person. */
  readonly organisations: readonly (OrganisationName & { readonly role: Role })[];
  /** The address of the API, without `/v1`, for code samples. */
  readonly api_url: string;
  readonly documentation_url: string;
  readonly terms: { readonly version: string; readonly url: string };
  readonly support_contact: string;
}

/** POST /session/organisation, which returns a `SessionView` */
export interface SwitchBody {
  readonly organisation_id: string;
}

/** POST /session/end */
export interface EndSessionBody {
  /** Whether to end all sessions of the person, on all devices. */
  readonly everywhere: boolean;
}

export interface EndSessionView {
  /** The address that the browser opens next, so that the identity provider also ends its session. */
  readonly sign_out_url: string;
}

/** POST /organisations, which returns a `SessionView` in the new organisation */
export interface CreateOrganisationBody {
  readonly name: string;
}

/** POST /invitations/accept, which returns a `SessionView` */
export interface AcceptInvitationBody {
  /** The secret from the link. */
  readonly token: string;
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
  /** The name of the member who invited them. Null if no member did. */
  readonly invited_by: string | null;
  readonly is_you: boolean;
}

export interface InvitationView {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

/** POST /invitations, which returns an `InvitationView` */
export interface InviteBody {
  readonly email: string;
  readonly role: Role;
}

/** PUT /members/{id}, which returns a `MemberView`. POST /members/{id}/remove has the body `{}` and returns `{}`. */
export interface ChangeMemberBody {
  readonly role: Role;
}
