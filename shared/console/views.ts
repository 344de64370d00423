import type { Environment } from '../core/environment.ts';
import type { IdType } from '../core/id-types.ts';
import type { Role } from './role.ts';

/**
 * What the console's routes receive and return: the field `data` of their envelope, and the bodies of their requests. The
 * functions and the pages share these types. Times are ISO 8601 in UTC.
 */

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

export interface OrganisationName {
  readonly id: string;
  readonly name: string;
}

/** SUBMITTED: pending, and waiting for the operator. */
export type OrganisationStatus = 'PENDING' | 'SUBMITTED' | 'APPROVED' | 'SUSPENDED';

/** POST /session/organisation, which returns a `SessionView` */
export interface SwitchBody {
  readonly organisation_id: string;
}

/** POST /session/end */
export interface EndSessionBody {
  /** Ends all sessions of the person, on all devices. */
  readonly everywhere: boolean;
}
export interface EndSessionView {
  /** Where the browser goes next, so that the identity provider ends its session too. */
  readonly sign_out_url: string;
}

/** POST /organisations, which returns a `SessionView` of the new organisation */
export interface CreateOrganisationBody {
  readonly name: string;
}

/** POST /invitations/accept, which returns a `SessionView` */
export interface AcceptInvitationBody {
  /** The secret of the link. */
  readonly token: string;
}

/** GET /home */
export interface HomeView {
  readonly status: OrganisationStatus;
  /** What is left to do until live requests work, in order. */
  readonly steps: readonly { readonly id: HomeStep; readonly is_done: boolean }[];
  /** In credits. */
  readonly wallets: Readonly<Record<Environment, { readonly available: number; readonly held: number }>>;
  /** The registries that live requests use. */
  readonly registries: readonly {
    readonly id_type: IdType;
    readonly status: 'up' | 'degraded' | 'down' | 'off';
  }[];
  /** Look-ups of live keys by day (UTC), the last 15 days, oldest first. */
  readonly look_ups: readonly { readonly day: string; readonly count: number }[];
  readonly keys: Readonly<Record<Environment, number>>;
}
export type HomeStep =
  | 'test-key'
  | 'first-request'
  | 'profile'
  | 'submit'
  | 'approval'
  | 'service'
  | 'top-up'
  | 'live-key';

/** GET, PUT /organisation; POST /organisation/submit returns it too */
export interface OrganisationView extends OrganisationName {
  readonly status: OrganisationStatus;
  readonly created_at: string;
  readonly submitted_at: string | null;
  readonly profile: ProfileFields | null;
  readonly checks: { readonly company: CheckView | null; readonly tax: CheckView | null };
  /** How many look-ups of numbers are left today. */
  readonly checks_left: number;
  /** The terms that were accepted; null before. */
  readonly accepted_terms: { readonly version: string; readonly accepted_at: string } | null;
  /** For the next PUT. 0 if there is no profile yet. */
  readonly version: number;
}
export interface ProfileFields {
  readonly company_number: string;
  readonly tax_number: string;
  /** Lines, at least one. */
  readonly address: readonly string[];
  readonly billing_contact: ContactFields;
  readonly privacy_contact: ContactFields;
}
export interface ContactFields {
  readonly name: string;
  readonly email: string;
}
export interface CheckView {
  readonly number: string;
  readonly result: 'FOUND' | 'NOT_FOUND' | 'UNAVAILABLE';
  /** The registered name. */
  readonly name: string | null;
  readonly checked_at: string;
  readonly request_id: string;
}
/** PUT /organisation. Saves everything, and looks up numbers that changed. A number without a record is saved with its check. */
export interface UpdateOrganisationBody extends ProfileFields {
  readonly version: number;
}
/** POST /organisation/submit */
export interface SubmitBody {
  /** The version of the terms that the person accepts. */
  readonly terms_version: string;
  readonly version: number;
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
  /** The name of the member who invited them. */
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

/** GET /keys */
export interface KeysView {
  /** Newest first, those of both environments. */
  readonly keys: readonly KeyView[];
  /** All scopes that a key may have. */
  readonly scopes: readonly string[];
}
export interface KeyView {
  /** The start of the key's hash. */
  readonly id: string;
  readonly env: Environment;
  readonly label: string;
  /** The last four characters. */
  readonly ending: string;
  /** `expiring`: replaced by a rotation, and still working until `expires_at`. */
  readonly status: 'active' | 'expiring' | 'expired' | 'revoked';
  readonly created_at: string;
  /** The name of the member; null: an operator. */
  readonly created_by: string | null;
  readonly last_used_at: string | null;
  /** The network of the last request. */
  readonly last_network: string | null;
  readonly expires_at: string | null;
  /** Null: everything except payments. */
  readonly scopes: readonly string[] | null;
  /** Null: from anywhere. */
  readonly addresses: readonly string[] | null;
}
/** POST /keys */
export interface CreateKeyBody {
  readonly env: Environment;
  readonly label: string;
  readonly scopes: readonly string[] | null;
  readonly addresses: readonly string[] | null;
  /** Null: never. At most 3,650. */
  readonly expires_in_days: number | null;
}
/** POST /keys and POST /keys/{id}/rotate. `text` is shown once, and not stored. */
export interface NewKeyView {
  readonly key: KeyView;
  readonly text: string;
}
/** POST /keys/{id}/rotate */
export interface RotateKeyBody {
  /** How long the old key works beside the new one, from 0 to 168. */
  readonly grace_hours: number;
}
/** POST /keys/{id}/revoke has the body `{}` and returns a `KeyView`. */

/** POST /test-credits has the body `{}`. */
export interface TestCreditsView {
  readonly added: number;
  readonly available: number;
}

/** GET /services */
export interface ServicesView {
  readonly services: readonly ServiceView[];
}
/** PUT /services/{service} returns it too. */
export interface ServiceView {
  readonly name: string;
  readonly id_type: IdType;
  /** Enabled for live keys. Test keys need no service. */
  readonly is_enabled: boolean;
  readonly price_credits: number;
  /** The fields of the record, as in the documentation. None of a slip, which is a PDF. */
  readonly returns: readonly string[];
}
export interface ChangeServiceBody {
  readonly is_enabled: boolean;
}

/** GET /audit?search=&from=&to=&cursor=&limit= Newest first. `from` and `to` are days in UTC, both inclusive. */
export interface ChangesView {
  readonly changes: readonly ChangeView[];
  readonly next_cursor: string | null;
}
export interface ChangeView {
  readonly id: string;
  readonly at: string;
  readonly by: { readonly kind: 'member' | 'operator' | 'service'; readonly name: string };
  readonly action: string;
  readonly target: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly address: string | null;
  readonly request_id: string | null;
}

/** The envelope of every response. `error` names the field of a rejected body. */
export interface ConsoleEnvelope<T> {
  readonly success: boolean;
  readonly code: string;
  readonly message: string;
  readonly data: T | null;
  readonly error?: { readonly reason: string; readonly field: string; readonly hint: string };
  readonly meta: { readonly request_id: string; readonly timestamp: string };
}
