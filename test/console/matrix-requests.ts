import { randomBytes, randomInt } from 'node:crypto';
import { ulid } from 'ulid';
import type {
  ChangeServiceBody,
  CreateKeyBody,
  RotateKeyBody,
  UpdateKeyBody,
} from '../../shared/accounts/console/bodies.ts';
import type { Organisation } from '../../shared/accounts/organisation.ts';
import type { ChangeAlertsBody } from '../../shared/alerts/console/bodies.ts';
import { lagosDay } from '../../shared/core/accounting-month.ts';
import { setting } from '../../shared/core/config.ts';
import type { ConsoleRouteName } from '../../shared/http/console/routes.ts';
import type {
  AcceptInvitationBody,
  ChangeMemberBody,
  CreateOrganisationBody,
  EndSessionBody,
  InviteBody,
  SignUpBody,
  SwitchBody,
} from '../../shared/members/console/bodies.ts';
import type {
  ChangeAutomaticTopUpBody,
  ChangeBalanceAlertBody,
  StartTopUpBody,
} from '../../shared/payments/console/bodies.ts';
import type { BillingFields } from '../../shared/payments/console/views.ts';
import type { SubmitBody, UpdateOrganisationBody } from '../../shared/profiles/console/bodies.ts';
import type { WithdrawSlipBody } from '../../shared/slips/console/bodies.ts';
import type { TestRequestBody } from '../../shared/verifications/console/bodies.ts';
import type {
  AddWebhookBody,
  ReplayBody,
  ResendBody,
  UpdateWebhookBody,
  WebhookBody,
} from '../../shared/webhooks/console/bodies.ts';
import {
  completeProfile,
  putColleague,
  putInvitation,
  putKey,
  putProfile,
} from '../support/console-organisation.ts';
import { documentNumber, letBuy, putInvoice, putOrder, saveCard } from '../support/console-payments.ts';
import { putChargedRequest } from '../support/console-requests.ts';
import { CLOSED_ADDRESS, putEndpoint, putFailedDelivery } from '../support/console-webhooks.ts';
import { newRequestId } from '../support/log-rows.ts';
import type { Target } from './matrix-cells.ts';

/** For each route of the console, the request that the matrix sends. It succeeds if the caller may send it. */

/** The organisations of one caller. Each is in a state in which every request succeeds if the caller may send it. */
export interface Scene {
  readonly caller: string;
  readonly email: string;
  readonly own: Organisation;
  readonly foreign: Organisation;
  readonly inviting: Organisation;
}

export interface MatrixRequest {
  readonly parameter?: string;
  /** Begins with `?`. */
  readonly query?: string;
  readonly body?: unknown;
}

/** Creates what a request needs, and returns the request. */
type Prepare = (scene: Scene, target: Target) => Promise<MatrixRequest>;

const nothing: Prepare = async () => ({});
const withBody =
  <T>(bodyOf: (scene: Scene, target: Target) => T): Prepare =>
  async (scene, target) => ({ body: bodyOf(scene, target) });

/** Prepares a request with the ID of something in the caller's organisation, in another one, or in none. */
const withId =
  <T>(
    create: (organisation: Organisation, target: Target) => Promise<string>,
    unknown: () => string,
    body: T,
  ): Prepare =>
  async ({ own, foreign }, target) => ({
    parameter: target === 'unknown' ? unknown() : await create(target === 'foreign' ? foreign : own, target),
    body,
  });

const newKey = async ({ id }: Organisation, target: Target) =>
  (await putKey(id, target === 'live' ? 'live' : 'test')).id;
const unknownHex = () => randomBytes(6).toString('hex');
/** Letters, because names may not contain long numbers. */
const unique = () => Array.from(randomBytes(12), (byte) => String.fromCharCode(97 + (byte % 26))).join('');
/** Adds an endpoint in the test environment, so that the endpoints that the matrix adds do not reach the live limit. */
const newHook = async (organisation: Organisation) => (await putEndpoint(organisation)).id;
const unknownHook = () => `hook_${unique()}`;
const hookFields: AddWebhookBody = { env: 'test', url: CLOSED_ADDRESS, event_types: ['top_up.credited'] };
const newColleague = (organisation: Organisation) => putColleague(organisation, 'viewer');

const { companyCheck: _, taxCheck: __, terms: ___, version, ...profile } = completeProfile();
const profileFields = {
  company_number: profile.companyNumber,
  tax_number: profile.taxNumber,
  address: profile.address,
  billing_contact: profile.billingContact,
  privacy_contact: profile.privacyContact,
};

/** The status that the organisation must have before a request, where it is not the usual one. */
export const STATUS_BEFORE: Partial<Readonly<Record<ConsoleRouteName, Organisation['status']>>> = {
  'submit-organisation': 'PENDING',
};

export const REQUESTS: Readonly<Record<ConsoleRouteName, Prepare>> = {
  'start-sign-in': nothing,
  'finish-sign-in': nothing,
  'sign-up': withBody<SignUpBody>(() => ({ email: `${unique()}@example.com` })),
  'show-session': nothing,
  'switch-organisation': withBody<SwitchBody>(({ own, foreign }, target) => ({
    organisation_id: { own: own.id, live: own.id, foreign: foreign.id, unknown: 'Unknown001' }[target],
  })),
  'end-session': withBody<EndSessionBody>(() => ({ everywhere: true })),
  'create-organisation': withBody<CreateOrganisationBody>(() => ({ name: `New ${unique()}` })),
  'accept-invitation': async ({ inviting, email }, target) => {
    const invited = target === 'own' ? email : `someone-${unique()}@example.com`;
    const { token } = await putInvitation(inviting, invited);
    const body: AcceptInvitationBody = {
      token: target === 'unknown' ? randomBytes(32).toString('base64url') : token,
    };
    return { body };
  },
  'show-home': nothing,
  'show-organisation': nothing,
  'update-organisation': async ({ own }) => {
    await putProfile(own.id, completeProfile());
    const body: UpdateOrganisationBody = {
      ...profileFields,
      address: ['5 Example Street', 'Abuja'],
      version,
    };
    return { body };
  },
  'submit-organisation': async ({ own }) => {
    await putProfile(own.id, completeProfile());
    const body: SubmitBody = { terms_version: setting('TERMS').version, version };
    return { body };
  },
  'list-members': nothing,
  'invite-member': withBody<InviteBody>(() => ({ email: `new-${unique()}@example.com`, role: 'viewer' })),
  'cancel-invitation': withId(
    async (organisation) => (await putInvitation(organisation, `open-${unique()}@example.com`)).id,
    () => ulid(),
    {},
  ),
  'change-member': withId<ChangeMemberBody>(newColleague, () => `colleague-${unique()}`, {
    role: 'developer',
  }),
  'remove-member': withId(newColleague, () => `colleague-${unique()}`, {}),
  'list-keys': nothing,
  'create-key': withBody<CreateKeyBody>((_scene, target) => ({
    env: target === 'live' ? 'live' : 'test',
    label: `matrix ${unique()}`,
    scopes: null,
    addresses: null,
    expires_in_days: 30,
  })),
  'update-key': withId<UpdateKeyBody>(newKey, unknownHex, {
    label: 'matrix',
    scopes: null,
    addresses: null,
  }),
  'rotate-key': withId<RotateKeyBody>(newKey, unknownHex, { grace_hours: 1 }),
  'revoke-key': withId(newKey, unknownHex, {}),
  'take-test-credits': withBody(() => ({})),
  'list-services': nothing,
  'change-service': async (_scene, target) => {
    const body: ChangeServiceBody = { is_enabled: true };
    return { parameter: target === 'unknown' ? 'nin-unknown' : 'nin-basic', body };
  },
  'list-changes': nothing,
  'show-wallet': nothing,
  'list-statement': nothing,
  'list-invoices': nothing,
  'show-invoice': withId((organisation) => putInvoice(organisation), documentNumber, undefined),
  'update-billing': withBody<BillingFields>(() => ({
    name: `Matrix ${unique()} Limited`,
    address: ['5 Example Street', 'Abuja'],
    tax_number: '12345678-0001',
    email: 'accounts@example.com',
  })),
  'change-balance-alert': withBody<ChangeBalanceAlertBody>(() => ({ below: randomInt(1, 1_000_000) })),
  'change-automatic-top-up': async ({ own }) => {
    await saveCard(own);
    const body: ChangeAutomaticTopUpBody = { settings: null };
    return { body };
  },
  'start-top-up': async ({ own }) => {
    await letBuy(own);
    const body: StartTopUpBody = { env: 'test', credits: 100, form_id: `form-${unique()}-${unique()}` };
    return { body };
  },
  'show-top-up': withId(
    (organisation) => putOrder(organisation),
    () => `TOPUP-${ulid()}`,
    undefined,
  ),
  'list-requests': nothing,
  'show-request': withId(
    async ({ id }) => (await putChargedRequest({ env: 'live', organisationId: id })).requestId,
    newRequestId,
    undefined,
  ),
  'withdraw-slip': async ({ own, foreign }, target) => {
    const env = target === 'live' ? 'live' : 'test';
    const wallet = { env, organisationId: (target === 'foreign' ? foreign : own).id } as const;
    const { requestId } = await putChargedRequest(wallet, { service: 'nin-slip' });
    const body: WithdrawSlipBody = { env };
    return { parameter: target === 'unknown' ? newRequestId() : requestId, body };
  },
  'show-usage': nothing,
  'send-test-request': withBody<TestRequestBody>(() => ({
    service: 'nin-basic',
    body: { id_number: '12345678901' },
  })),
  'show-alerts': nothing,
  // Administrators and viewers get no such emails by default.
  'change-alerts': withBody<ChangeAlertsBody>(({ caller }) => ({
    kind: 'key_expiring',
    is_enabled: caller === 'admin' || caller === 'viewer',
  })),
  'list-webhooks': nothing,
  'add-webhook': withBody<AddWebhookBody>((_scene, target) => ({
    ...hookFields,
    env: target === 'live' ? 'live' : 'test',
  })),
  'update-webhook': withId<UpdateWebhookBody>(newHook, unknownHook, { ...hookFields, is_enabled: false }),
  'delete-webhook': withId<WebhookBody>(newHook, unknownHook, { env: 'test' }),
  'rotate-webhook-secret': withId<WebhookBody>(newHook, unknownHook, { env: 'test' }),
  'test-webhook': withId<WebhookBody>(newHook, unknownHook, { env: 'test' }),
  'list-deliveries': withId(
    async (organisation) => (await putEndpoint(organisation, 'live')).id,
    unknownHook,
    undefined,
  ),
  'list-attempts': async ({ own, foreign }, target) => {
    const endpoint = await putEndpoint(target === 'foreign' ? foreign : own, 'live');
    const { id } = await putFailedDelivery(endpoint);
    return { parameter: target === 'unknown' ? ulid() : id, query: `?endpoint_id=${endpoint.id}` };
  },
  'replay-deliveries': async ({ own, foreign }, target) => {
    const endpoint = await putEndpoint(target === 'foreign' ? foreign : own);
    await putFailedDelivery(endpoint);
    const today = lagosDay(Date.now());
    const body: ReplayBody = { env: 'test', from: today, to: today, which: 'failed', cursor: null };
    return { parameter: target === 'unknown' ? unknownHook() : endpoint.id, body };
  },
  'resend-delivery': async ({ own, foreign }, target) => {
    const endpoint = await putEndpoint(target === 'foreign' ? foreign : own);
    const { id } = await putFailedDelivery(endpoint);
    const body: ResendBody = { env: 'test', endpoint_id: endpoint.id };
    return { parameter: target === 'unknown' ? ulid() : id, body };
  },
  'show-status': nothing,
  'show-status-feed': nothing,
};
