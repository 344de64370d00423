import type { Environment } from '../../core/environment.ts';
import type { IdType } from '../../core/id-types.ts';
import type { Role } from '../../core/member-role.ts';
import type { Outcome } from '../../core/outcome.ts';

/**
 * The data that the console's routes receive and return: the field `data` of their envelope, and the bodies of their
 * requests. The functions and the pages share these types. Times are ISO 8601 in UTC.
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

/** GET /home */
export interface HomeView {
  readonly status: OrganisationStatus;
  /** The steps to the first live request, in order, including those that are done. */
  readonly steps: readonly { readonly id: HomeStep; readonly is_done: boolean }[];
  /** In credits. */
  readonly wallets: Readonly<Record<Environment, { readonly available: number; readonly held: number }>>;
  /**
   * The day (Africa/Lagos) on which the live wallet will be empty at the current rate of use. Null if it is not known,
   * or more than a year away.
   */
  readonly runs_out_on: string | null;
  /** The three newest alerts of the last seven days, newest first. */
  readonly alerts: readonly Pick<AlertView, 'id' | 'at' | 'title'>[];
  /** The registries that live requests use. */
  readonly registries: readonly {
    readonly id_type: IdType;
    readonly status: RegistryStatus;
  }[];
  /** Look-ups of live keys by day (UTC), the last 15 days, oldest first. */
  readonly look_ups: readonly { readonly day: string; readonly count: number }[];
  /** The number of keys that still work. */
  readonly keys: Readonly<Record<Environment, number>>;
}
/** `off`: no enabled provider serves the ID type. */
export type RegistryStatus = 'up' | 'degraded' | 'down' | 'off';
export type HomeStep =
  | 'test-key'
  | 'first-request'
  | 'profile'
  | 'submit'
  | 'approval'
  | 'service'
  | 'top-up'
  | 'live-key';

/** GET /organisation. PUT /organisation and POST /organisation/submit also return it. */
export interface OrganisationView extends OrganisationName {
  readonly status: OrganisationStatus;
  readonly created_at: string;
  readonly submitted_at: string | null;
  readonly profile: ProfileFields | null;
  readonly checks: { readonly company: CheckView | null; readonly tax: CheckView | null };
  /** The terms that were accepted. Null if none were. */
  readonly accepted_terms: { readonly version: string; readonly accepted_at: string } | null;
  /** The version to send with the next PUT. 0 if there is no profile yet. */
  readonly version: number;
}
export interface ProfileFields {
  readonly company_number: string;
  readonly tax_number: string;
  /** One or more lines. */
  readonly address: readonly string[];
  readonly billing_contact: ContactFields;
  readonly privacy_contact: ContactFields;
}
export interface ContactFields {
  readonly name: string;
  readonly email: string;
}
/** The check of a number when the profile was last submitted. */
export interface CheckView {
  readonly result: 'FOUND' | 'NOT_FOUND' | 'UNAVAILABLE';
  /** Whether the number is registered under the name of the organisation. Null unless a company was found. */
  readonly is_name_equal: boolean | null;
}
/** PUT /organisation: saves all fields. A submitted profile whose numbers change must be submitted again. */
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

/** GET /keys */
export interface KeysView {
  /** Newest first, from both environments. */
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
  /** `expiring`: replaced by a rotation, but valid until `expires_at`. */
  readonly status: 'active' | 'expiring' | 'expired' | 'revoked';
  readonly created_at: string;
  /** The name of the member who created it. Null if an operator did. */
  readonly created_by: string | null;
  readonly last_used_at: string | null;
  /** The network of the last request. */
  readonly last_network: string | null;
  readonly expires_at: string | null;
  /** Null: all scopes except payments. */
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
  /** At most 3,650. Null if the key never expires. */
  readonly expires_in_days: number | null;
}
/** POST /keys and POST /keys/{id}/rotate. `text` is shown only once, because it is not stored. */
export interface NewKeyView {
  readonly key: KeyView;
  readonly text: string;
}
/** POST /keys/{id}/rotate */
export interface RotateKeyBody {
  /** For how many hours the old key still works, from 0 to 168. */
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
/** PUT /services/{service} also returns this. */
export interface ServiceView {
  readonly name: string;
  readonly id_type: IdType;
  /** Whether the service is enabled for live keys. Test keys can use every service. */
  readonly is_enabled: boolean;
  readonly price_credits: number;
  /** The fields of the record, as in the documentation. Empty for a slip, which is a PDF. */
  readonly returns: readonly string[];
}
export interface ChangeServiceBody {
  readonly is_enabled: boolean;
}

/**
 * GET /audit?search=&from=&to=&cursor=&limit= Newest first. `from` and `to` are days in Africa/Lagos, both inclusive.
 */
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

/** GET /wallet?env= */
export interface WalletView {
  readonly env: Environment;
  /** In credits. */
  readonly available: number;
  readonly held: number;
  /**
   * The last 30 days (Africa/Lagos), oldest first. Today is last, with the current balance. Days before the first
   * credit are missing.
   */
  readonly days: readonly { readonly day: string; readonly balance: number; readonly used: number }[];
  /** Credits used per day: the average of up to 14 days before today. Null until 7 days after the first use. */
  readonly daily_use: number | null;
  /** The day on which the wallet will be empty at this rate. Null if it is not known, or more than a year away. */
  readonly runs_out_on: string | null;
  /** The alert is sent when fewer than `below` credits are left. `is_default`: this is the stage's threshold. */
  readonly alert: { readonly below: number; readonly is_default: boolean };
  /** Null if credits cannot be bought: the stage has no `money` settings, or no price. */
  readonly price: PriceView | null;
  /** Null until they are entered. Credits cannot be bought without them. */
  readonly billing: BillingFields | null;
  /** All lots with credits left, oldest first. */
  readonly lots: readonly LotView[];
  /** The last 10 orders, newest first. */
  readonly top_ups: readonly TopUpView[];
  /** The last 10 documents, newest first. */
  readonly invoices: readonly InvoiceView[];
}
export interface PriceView {
  readonly kobo_per_credit: number;
  /** Today's VAT rate. 750 is 7.5%. */
  readonly vat_basis_points: number;
  /** The minimum and maximum number of credits in one order. */
  readonly least_credits: number;
  readonly most_credits: number;
}
/** PUT /wallet/billing also returns this. */
export interface BillingFields {
  readonly name: string;
  /** One to five lines. */
  readonly address: readonly string[];
  readonly tax_number: string;
  readonly email: string;
}
/** PUT /wallet/alert. Null: the stage's threshold. Returns the `alert` of a `WalletView`. */
export interface ChangeBalanceAlertBody {
  readonly below: number | null;
}
export interface LotView {
  readonly id: string;
  readonly kind: 'paid' | 'promotional' | 'refund' | 'correction';
  readonly credits: number;
  /** An estimate: the closing of a month decides which request used which lot. */
  readonly remaining: number;
  /** Null for free credits. */
  readonly kobo_per_credit: number | null;
  readonly invoice: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}
/** POST /wallet/top-ups; GET /wallet/top-ups/{reference} */
export interface TopUpView {
  readonly env: Environment;
  readonly reference: string;
  readonly state: 'OPENED' | 'PAID' | 'CREDITED' | 'FAILED' | 'EXPIRED' | 'MISMATCH' | 'REFUNDED';
  readonly credits: number;
  readonly kobo_per_credit: number;
  readonly net_kobo: number;
  readonly vat_kobo: number;
  readonly total_kobo: number;
  /** The address of the payment page. Null if the order cannot be paid now. */
  readonly checkout_url: string | null;
  readonly opened_at: string;
  readonly expires_at: string;
  readonly credited_at: string | null;
  readonly invoice: string | null;
  readonly receipt: string | null;
}
/** POST /wallet/top-ups */
export interface StartTopUpBody {
  readonly env: Environment;
  readonly credits: number;
  /** Generated when the form is shown, so that submitting it several times opens only one order. */
  readonly form_id: string;
}
/** GET /invoices?env=&cursor=&limit= Newest first. GET /invoices/{number}?env= returns the PDF. */
export interface InvoicesView {
  readonly invoices: readonly InvoiceView[];
  readonly next_cursor: string | null;
}
export interface InvoiceView {
  readonly number: string;
  readonly kind: 'invoice' | 'receipt' | 'credit-note' | 'statement';
  readonly issued_at: string;
  /** `yyyy-mm`: for a statement, the month that it covers; for other documents, the month of `issued_at`. */
  readonly month: string;
  readonly net_kobo: number;
  readonly vat_kobo: number;
  readonly total_kobo: number;
}
/** GET /wallet/statement?env=&month=&cursor=&limit= One month (`yyyy-mm`, Africa/Lagos), oldest line first. */
export interface StatementView {
  readonly month: string;
  /** The balance before the first line of this page, and the balance after its last line. */
  readonly opening_balance: number;
  readonly closing_balance: number;
  readonly lines: readonly StatementLineView[];
  readonly next_cursor: string | null;
}
export interface StatementLineView {
  /** The operation ID of a charge, or the reference of a credit. */
  readonly id: string;
  readonly at: string;
  readonly kind: 'CHARGE' | 'TOP_UP' | 'CORRECTION';
  /** In credits. Positive if credits were added. */
  readonly amount: number;
  readonly balance_after: number;
  /** Null unless the line is a charge. */
  readonly request_id: string | null;
  readonly service: string | null;
  readonly key_label: string | null;
  /** Null unless the line is a correction. */
  readonly reason: string | null;
}

/**
 * GET /requests?env=&reference=&service=&outcome=&key=&from=&to=&cursor=&limit= Newest first. `from` and `to` are days
 * in Africa/Lagos, both inclusive. A page may be empty and still have a next page.
 */
export interface RequestsView {
  readonly requests: readonly RequestView[];
  /** Requests of the last 7 days that were rejected before they reserved a credit, counted by minute, code and key. */
  readonly rejected: readonly RejectedRequestsView[];
  readonly next_cursor: string | null;
}
export interface RequestView {
  readonly request_id: string;
  readonly service: string;
  readonly outcome: Outcome;
  readonly http_status: number;
  readonly credits_charged: number;
  /** Whether this is a free replay of a charged request. */
  readonly is_replay: boolean;
  /** The display name. Empty if no provider was asked. */
  readonly provider: string;
  readonly key_label: string;
  readonly latency_ms: number;
  readonly requested_at: string;
  readonly reference: string | null;
}
export interface RejectedRequestsView {
  readonly minute: string;
  readonly code: string;
  readonly http_status: number;
  readonly count: number;
  readonly route: string;
  readonly key_label: string;
  /** The ID of one of these requests. */
  readonly request_id: string;
}
/**
 * GET /requests/{request_id}?env= If rejected requests were counted together, only the one whose ID is stored can be
 * found.
 */
export type RequestDetailView =
  | ({ readonly kind: 'request' } & RequestView & RequestDetails)
  | ({ readonly kind: 'rejected' } & RejectedRequestsView & Explanation);
/** An explanation of the response, in sentences for developers. */
export interface Explanation {
  /** What the code means. */
  readonly meaning: string;
  /** Whether and why it was charged. */
  readonly charge: string;
  readonly retry: { readonly helps: 'yes' | 'no' | 'later'; readonly text: string };
}
export interface RequestDetails extends Explanation {
  /** The code of the response. Null if it is not known, for example because the sweeper settled the request. */
  readonly code: string | null;
  /** The display names of the providers that failed before `provider`, in order. Null if they are not known. */
  readonly failed_providers: readonly string[] | null;
  /** Null if they are not known. `registry_ms` is 0 if no provider was asked. */
  readonly timings: {
    readonly checks_ms: number;
    readonly ledger_ms: number;
    readonly registry_ms: number;
  } | null;
  readonly consent: string | null;
  readonly reason: string | null;
  /** The statement line, with its month (`yyyy-mm`, Africa/Lagos). Null if nothing was charged. */
  readonly statement: { readonly month: string; readonly id: string; readonly amount: number } | null;
}

/** GET /usage?env=&month= One month (`yyyy-mm`, Africa/Lagos), the current one by default. */
export interface UsageView {
  readonly env: Environment;
  readonly month: string;
  /** The first month that can be shown. */
  readonly first_month: string;
  /** The days of the month up to today (Africa/Lagos). */
  readonly days: readonly string[];
  /** All breakdowns have the same totals. Each list in a series contains one number for each of `days`. */
  readonly by: Readonly<Record<'service' | 'outcome' | 'key', readonly UsageSeries[]>>;
  readonly totals: UsageTotals;
  /** The totals of the same number of days at the start of the previous month. Null if they had no requests. */
  readonly previous: UsageTotals | null;
  /** The latency of requests that asked a registry, by ID type. Percentiles are null if there were none. */
  readonly latency: readonly {
    readonly id_type: IdType;
    readonly requests: number;
    readonly p50_ms: number | null;
    readonly p95_ms: number | null;
    readonly p99_ms: number | null;
  }[];
  /** ISO time up to which requests have been counted. Null before the first count. */
  readonly counted_until: string | null;
}
export interface UsageSeries {
  readonly name: string;
  readonly requests: readonly number[];
  readonly credits: readonly number[];
}
export interface UsageTotals {
  readonly requests: number;
  readonly found: number;
  /** Requests that ended in an error of the service or of a registry. */
  readonly errors: number;
  readonly credits: number;
  /**
   * Without VAT. For a whole closed month, the revenue; for part of one, a share of it in proportion to the credits.
   * Otherwise, an estimate: credits are taken from the wallet's lots in the order in which they are used, and credits
   * without a lot have today's price. Null for test credits, or if no price is known.
   */
  readonly cost_kobo: number | null;
  readonly is_closed: boolean;
}

/** POST /playground: sends one request that uses the test wallet. The session replaces the API key. */
export interface TestRequestBody {
  readonly service: string;
  /** The body of the request, as the API expects it. */
  readonly body: Readonly<Record<string, unknown>>;
}
export interface TestRequestView {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The envelope. Null if the response is a PDF. */
  readonly envelope: unknown;
  /** Base64. Null unless the response is a slip. */
  readonly pdf: string | null;
  readonly took_ms: number;
  /** The remaining test credits. */
  readonly available: number;
  /** What the response means, what it cost, and whether to repeat the request. */
  readonly meaning: string;
  /**
   * The fields of the response with their meanings, in the order in which they appear in it. `name` is a path such as
   * `data.firstname`.
   */
  readonly fields: readonly { readonly name: string; readonly description: string }[];
  /** The same call, with a placeholder for the key. */
  readonly samples: readonly { readonly language: string; readonly code: string }[];
  readonly documentation_url: string;
}

/** GET /alerts */
export interface AlertsView {
  readonly settings: AlertSettings;
  /** The names of the members who receive the emails: owners and finance members. */
  readonly recipients: readonly string[];
  /** The alerts of the last 30 days, newest first. */
  readonly alerts: readonly AlertView[];
}
/** The kinds of alerts that the organisation receives. PUT /alerts also returns this. */
export interface AlertSettings {
  readonly balance_low: boolean;
  readonly key_expiring: boolean;
  readonly registry_down: boolean;
  readonly unusual_traffic: boolean;
}
/** PUT /alerts: switches one kind of alert on or off. */
export interface ChangeAlertsBody {
  readonly kind: AlertKind;
  readonly is_enabled: boolean;
}
export type AlertKind = keyof AlertSettings;
export interface AlertView {
  readonly id: string;
  readonly kind: AlertKind;
  readonly at: string;
  readonly title: string;
  /** One or more sentences, which never name a person. */
  readonly text: string;
}

/** GET /webhooks?env= */
export interface WebhooksView {
  /** Oldest first, without deleted ones. */
  readonly endpoints: readonly WebhookView[];
  /** The events that can be chosen, and when each is sent. */
  readonly event_types: readonly { readonly type: string; readonly about: string }[];
}
export interface WebhookView {
  readonly id: string;
  readonly url: string;
  /** The types of events that the endpoint receives. */
  readonly event_types: readonly string[];
  readonly state: 'ENABLED' | 'DISABLED';
  /** `GONE`: the endpoint responded with 410. Null if it is enabled. */
  readonly disabled_because: 'MEMBER' | 'GONE' | null;
  readonly created_at: string;
  /** Until this time, requests are also signed with the previous secret. Null if no previous secret is valid. */
  readonly old_secret_until: string | null;
  /** Null if nothing was sent in the last 30 days, and in responses to writes. */
  readonly last_delivery: DeliveryView | null;
}
/** The delivery of one event to one endpoint. */
export interface DeliveryView {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly state: 'PENDING' | 'DELIVERED' | 'FAILED' | 'CANCELLED';
  /** Why the last attempt failed, or why there are no more attempts. Null if neither applies. */
  readonly reason: string | null;
  /** The reason as a sentence, and what to do. */
  readonly reason_text: string | null;
  /** The HTTP status of the response to the last attempt, if there was one. */
  readonly status: number | null;
  readonly attempts: number;
  readonly created_at: string;
  readonly attempted_at: string | null;
  /** Whether an attempt is in progress. */
  readonly is_in_progress: boolean;
  /** When the next attempt is due. Null if there is none. */
  readonly next_at: string | null;
  /** The body that is sent, as JSON. */
  readonly body: string;
}
/** POST /webhooks */
export interface AddWebhookBody {
  readonly env: Environment;
  readonly url: string;
  readonly event_types: readonly string[];
}
/** PUT /webhooks/{id} returns a `WebhookView`. */
export interface UpdateWebhookBody extends AddWebhookBody {
  readonly is_enabled: boolean;
}
/** POST /webhooks and POST /webhooks/{id}/rotate. `secret` is shown only once, because it is not stored. */
export interface WebhookSecretView {
  readonly endpoint: WebhookView;
  readonly secret: string;
}
/**
 * POST /webhooks/{id}/rotate, /delete and /test. /delete returns a `WebhookView`, and /test returns a `DeliveryView`.
 */
export interface WebhookBody {
  readonly env: Environment;
}
/** GET /webhooks/{id}/deliveries?env=&cursor= Newest first. */
export interface DeliveriesView {
  readonly deliveries: readonly DeliveryView[];
  readonly next_cursor: string | null;
}
/** POST /deliveries/{id}/resend returns a `DeliveryView`. */
export interface ResendBody {
  readonly env: Environment;
  readonly endpoint_id: string;
}
/** POST /webhooks/{id}/replay: resends part of the deliveries of a period, oldest first. */
export interface ReplayBody {
  readonly env: Environment;
  /** Days in Africa/Lagos, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** `failed`: deliveries that failed or were cancelled. `all`: also successful deliveries. */
  readonly which: 'failed' | 'all';
  /** The `next_cursor` of the previous part. Null for the first part. */
  readonly cursor: string | null;
}
export interface ReplayView {
  readonly resent: number;
  readonly next_cursor: string | null;
}

/** GET /status. Public. GET /status/feed returns the same incidents as an Atom feed. */
export interface StatusView {
  readonly registries: readonly RegistryStatusView[];
  /** The incidents of the last 90 days, newest first. */
  readonly incidents: readonly IncidentView[];
  readonly updated_at: string;
}
export interface RegistryStatusView {
  readonly id_type: IdType;
  readonly status: RegistryStatus;
  /** The share of the last 90 days in which the registry was not down, from 0 to 1. Null if it was not observed. */
  readonly uptime: number | null;
  /** The last 90 UTC days, oldest first. */
  readonly days: readonly {
    readonly day: string;
    readonly uptime: number | null;
    /** The 95th percentile of the latency of live look-ups. Null if there were too few. */
    readonly p95_ms: number | null;
  }[];
}
export interface IncidentView {
  readonly id: string;
  readonly id_type: IdType;
  readonly status: 'degraded' | 'down';
  readonly started_at: string;
  /** Null if the incident continues. */
  readonly ended_at: string | null;
}

/** The envelope of every JSON response. If a body or query is rejected, `error` names the field. */
export interface ConsoleEnvelope<T> {
  readonly success: boolean;
  readonly code: string;
  readonly message: string;
  readonly data: T | null;
  readonly error?: { readonly reason: string; readonly field: string; readonly hint: string };
  readonly meta: { readonly request_id: string; readonly timestamp: string };
}
