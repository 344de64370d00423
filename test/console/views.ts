import type { CreateKeyBody } from '../../shared/accounts/console/bodies.ts';
import type { KeysView, KeyView, NewKeyView, ServicesView } from '../../shared/accounts/console/views.ts';
import type { ChangesView, ChangeView } from '../../shared/audit/console/views.ts';
import { lagosDay } from '../../shared/core/accounting-month.ts';
import { DAY_MS, HOUR_MS } from '../../shared/core/clock.ts';
import type { Environment } from '../../shared/core/environment.ts';
import type { HomeView } from '../../shared/home/console/views.ts';
import type { StatementLineView, StatementView } from '../../shared/ledger/console/views.ts';
import type { MembersView, SessionView } from '../../shared/members/console/views.ts';
import type {
  ChangeAutomaticTopUpBody,
  ChangeBalanceAlertBody,
  StartTopUpBody,
} from '../../shared/payments/console/bodies.ts';
import type {
  AutomaticTopUpView,
  InvoicesView,
  InvoiceView,
  TopUpView,
  WalletView,
} from '../../shared/payments/console/views.ts';
import { priceOf } from '../../shared/payments/naira.ts';
import type { OrganisationView } from '../../shared/profiles/console/views.ts';
import type { TestRequestView } from '../../shared/verifications/console/views.ts';
import { KEY_SCOPES } from '../../shared/verifications/key-scopes.ts';
import { SERVICE_NAMES, SERVICES } from '../../shared/verifications/services.ts';
import { alertViews } from './alert-views.ts';
import type { Views } from './pages-double.ts';
import { requestViews } from './request-views.ts';
import { statusView } from './status-views.ts';
import { webhookViews } from './webhook-views.ts';

/** Views of the demo organisation, as the console's routes return them. All people are invented. */

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const organisation = { id: 'org_demo', name: 'Adire Finance Limited' };

export const sessionView = (): SessionView => ({
  person: { id: 'demo-amaka', name: 'Amaka Obi', email: 'amaka.owner@example.com' },
  signed_in_at: ago(60_000),
  organisation: { ...organisation, status: 'PENDING', suspended_because: null, role: 'owner' },
  organisations: [
    { ...organisation, role: 'owner' },
    { id: 'org_other', name: 'Kano Grain Traders', role: 'viewer' },
  ],
  stage: 'prod',
  api_url: 'http://127.0.0.1:3000',
  documentation_url: 'http://127.0.0.1:3000/docs/',
  terms: { version: '2026-11', url: 'http://127.0.0.1:3000/terms' },
  support_contact: 'support@example.com',
});

export const homeView = (): HomeView => ({
  steps: [
    { id: 'test-credits', is_done: true },
    { id: 'test-key', is_done: true },
    { id: 'first-request', is_done: true },
    { id: 'profile', is_done: false },
    { id: 'submit', is_done: false },
    { id: 'approval', is_done: false },
    { id: 'service', is_done: false },
    { id: 'top-up', is_done: false },
    { id: 'live-key', is_done: false },
  ],
  wallets: { live: { available: 12_480, held: 3 }, test: { available: 997, held: 0 } },
  alerts: [
    { id: '1', at: ago(DAY_MS / 2), title: 'TIN look-ups are not available' },
    { id: '2', at: ago(3 * DAY_MS), title: 'An API key expires soon' },
  ],
  daily_use: 610,
  runs_out_on: ago(-21 * DAY_MS).slice(0, 10),
  registries: [
    { id_type: 'NIN', status: 'up' },
    { id_type: 'BVN', status: 'up' },
    { id_type: 'CAC', status: 'degraded' },
    { id_type: 'TIN', status: 'down' },
    { id_type: 'NUBAN', status: 'off' },
  ],
  requests: Array.from({ length: 15 }, (_, index) => ({
    day: ago((14 - index) * DAY_MS).slice(0, 10),
    count: index === 3 ? 0 : 40 + ((index * 53) % 97) * 7,
  })),
});

export const organisationView = (): OrganisationView => ({
  ...organisation,
  status: 'PENDING',
  profile: {
    company_number: 'RC1234567',
    tax_number: '01234567-0001',
    address: ['14 Awolowo Road', 'Ikoyi', 'Lagos'],
    billing_contact: { name: 'Chidi Eze', email: 'chidi.finance@example.com' },
    privacy_contact: { name: 'Amaka Obi', email: 'amaka.owner@example.com' },
  },
  checks: {
    company: { result: 'FOUND', is_name_equal: false },
    tax: { result: 'NOT_FOUND', is_name_equal: null },
  },
  accepted_terms: null,
  version: 2,
});

export const membersView = (): MembersView => ({
  members: [
    member('demo-amaka', 'Amaka Obi', 'amaka.owner@example.com', 'owner', 300, null),
    member('demo-bola', 'Bola Adeyemi', 'bola.developer@example.com', 'developer', 120, 'Amaka Obi'),
    member('demo-chidi', 'Chidi Eze', 'chidi.finance@example.com', 'finance', 60, 'Amaka Obi'),
    member('demo-dayo', 'Dayo Bello', 'dayo.viewer@example.com', 'viewer', 2, 'Amaka Obi'),
  ],
  invitations: [
    {
      id: '01JD2E9ZK4M7Q0V5W8X1Y3A6BA',
      email: 'efe.admin@example.com',
      role: 'admin',
      invited_by: 'Amaka Obi',
      expires_at: ago(-6 * DAY_MS),
    },
  ],
});

function member(
  id: string,
  name: string,
  email: string,
  role: MembersView['members'][number]['role'],
  days: number,
  invitedBy: string | null,
): MembersView['members'][number] {
  return {
    id,
    name,
    email,
    role,
    since: ago(days * DAY_MS),
    last_sign_in: days > 100 ? null : ago(DAY_MS).slice(0, 10),
    invited_by: invitedBy,
    is_you: id === 'demo-amaka',
  };
}

export const keysView = (count = 6): KeysView => ({
  keys: Array.from({ length: count }, (_, index) => key(index)),
  scopes: KEY_SCOPES,
});

const STATUSES = ['active', 'active', 'expiring', 'active', 'revoked', 'expired'] as const;

/** Returns a key of the list. Every third one is a live key, and some have limits. */
function key(index: number): KeyView {
  const status = STATUSES[index % STATUSES.length] ?? 'active';
  const isUnused = index % 4 === 1;
  return {
    id: index.toString(16).padStart(12, '0'),
    env: index % 3 === 0 ? 'live' : 'test',
    label: `backend ${index + 1}`,
    ending: 'TOVI',
    status,
    created_at: ago(index * DAY_MS),
    created_by: index % 5 === 4 ? null : 'Bola Adeyemi',
    last_used_at: isUnused ? null : ago(120_000 * (index + 1)),
    last_network: isUnused ? null : '102.89.34.0/24',
    expires_at: expiryOf(status, index),
    scopes: index % 4 === 0 ? ['verify:nin-basic', 'wallet:read'] : null,
    addresses: index % 6 === 0 ? ['102.89.34.0/24'] : null,
  };
}

function expiryOf(status: KeyView['status'], index: number): string | null {
  if (status === 'expired') return ago(DAY_MS);
  if (status === 'expiring') return ago(-DAY_MS);
  return index % 2 === 0 ? ago(-61 * DAY_MS) : null;
}

/** Returns a new key. Its text is invented, and works in no environment. */
export const newKeyView = (env: Environment): NewKeyView => ({
  key: { ...key(1), env, id: 'fedcba987654', label: 'new', ending: '0000' },
  text: `idv_${env}_${'0123456789abcdefghijABCDEFGHIJ0123456789abcdefgh'}`,
});

export const servicesView = (): ServicesView => ({
  services: SERVICE_NAMES.map((name, index) => ({
    name,
    id_type: SERVICES[name].idType,
    is_enabled: index % 2 === 0,
    price_credits: SERVICES[name].price + (index % 3),
    returns: name === 'nin-slip' ? [] : ['firstname', 'lastname', 'birthdate', 'residence.address1'],
  })),
});

const ACTIONS = [
  {
    action: 'service change',
    action_text: 'Enabled a service',
    target: 'service nin-basic',
    before: { enabled: false },
    after: { enabled: true },
  },
  {
    action: 'key create',
    action_text: 'Created an API key',
    target: 'test key 9fb1561c5c6a',
    before: null,
    after: { label: 'backend', scopes: ['verify:nin-basic', 'wallet:read'], notAfter: null },
  },
  {
    action: 'org approve',
    action_text: 'Approved the organisation',
    target: organisation.id,
    before: { status: 'PENDING' },
    after: { status: 'APPROVED' },
  },
];

function change(index: number): ChangeView {
  const values = ACTIONS[index % ACTIONS.length] as (typeof ACTIONS)[number];
  const isOperator = values.action.startsWith('org ');
  return {
    ...values,
    id: `01JD2E9ZK4M7Q0V5W8X1Y3${String(index).padStart(4, '0')}`,
    at: ago(index * HOUR_MS),
    by: isOperator ? { kind: 'operator', name: 'Operator' } : { kind: 'member', name: 'Amaka Obi' },
    address: isOperator ? null : '102.89.34.7',
    request_id: isOperator ? null : 'req_0123456789ab',
  };
}

/** Returns a page of a list of `count` changes. The cursor is the position of the next one. */
export const changesView = (count = 12, query = new URLSearchParams()): ChangesView => {
  const limit = Number(query.get('limit') ?? 50);
  const first = Number(query.get('cursor') ?? 0);
  const search = (query.get('search') ?? '').toLowerCase();
  const all = Array.from({ length: count }, (_, index) => change(index));
  const found = all.filter(({ action, target, by }) =>
    [action, target, by.name].some((text) => text.toLowerCase().includes(search)),
  );
  const next = first + limit;
  return { changes: found.slice(first, next), next_cursor: next < found.length ? String(next) : null };
};

// The wallet.

const KOBO_PER_CREDIT = 5_000;
const VAT_BASIS_POINTS = 750;
const dayAgo = (days: number) => lagosDay(Date.now() - days * DAY_MS);
const envOf = (query?: URLSearchParams): Environment => (query?.get('env') === 'test' ? 'test' : 'live');

export const topUpView = (changes: Partial<TopUpView> = {}): TopUpView => {
  const credits = changes.credits ?? 2_000;
  const { vatKobo, totalKobo } = priceOf(credits, KOBO_PER_CREDIT, VAT_BASIS_POINTS);
  return {
    env: 'live',
    reference: 'TOPUP-01JD2E9ZK4M7Q0V5W8X1Y3A6BA',
    method: 'PAYSTACK',
    state: 'OPENED',
    credits,
    vat_kobo: vatKobo,
    total_kobo: totalKobo,
    checkout_url: 'https://checkout.example.com/0123456789',
    opened_at: ago(DAY_MS / 4),
    credited_at: null,
    invoice: null,
    receipt: null,
    is_by_member: true,
    ...changes,
  };
};

/** Returns a credited order. */
export const creditedView = (changes: Partial<TopUpView> = {}): TopUpView =>
  topUpView({
    state: 'CREDITED',
    checkout_url: null,
    credited_at: ago(60_000),
    invoice: 'IDV-2026-000041',
    receipt: 'IDV-R-2026-000041',
    ...changes,
  });

function invoice(index: number): InvoiceView {
  const number = String(41 - Math.floor(index / 2)).padStart(6, '0');
  const kind = index % 2 === 0 ? 'receipt' : 'invoice';
  const { vatKobo, totalKobo } = priceOf(2_000 + index, KOBO_PER_CREDIT, VAT_BASIS_POINTS);
  return {
    number: `IDV-${kind === 'receipt' ? 'R-' : ''}2026-${number}`,
    kind,
    issued_at: ago(Math.floor(index / 2) * 5 * DAY_MS),
    month: dayAgo(0).slice(0, 7),
    vat_kobo: vatKobo,
    total_kobo: totalKobo,
  };
}

/** Returns a page of a list of `count` documents. The cursor is the position of the next one. */
export const invoicesView = (count = 14, query = new URLSearchParams()): InvoicesView => {
  const first = Number(query.get('cursor') ?? 0);
  const next = first + Number(query.get('limit') ?? 20);
  const invoices = Array.from({ length: count }, (_, index) => invoice(index));
  return { invoices: invoices.slice(first, next), next_cursor: next < count ? String(next) : null };
};

export const automaticView = (changes: Partial<AutomaticTopUpView> = {}): AutomaticTopUpView => ({
  state: 'ON',
  stop_reason: null,
  below: 5_000,
  credits: 10_000,
  monthly_limit_kobo: 200_000_000,
  charged_kobo: 107_500_000,
  card_order: topUpView().reference,
  card: { brand: 'visa', last_four: '4081', expires: '12/2030', bank: 'TEST BANK' },
  ...changes,
});

export const walletView = (env: Environment = 'live', changes: Partial<WalletView> = {}): WalletView => {
  // A top-up nine days ago raises the balance.
  const days = Array.from({ length: 30 }, (_, index) => ({
    day: dayAgo(29 - index),
    balance: 16_000 - index * 610 + (index >= 20 ? 14_170 : 0),
    used: 610,
  }));
  return {
    env,
    available: 12_480,
    held: 3,
    days,
    daily_use: 610,
    runs_out_on: dayAgo(-21),
    alert: { below: 5_000, is_default: false },
    automatic: null,
    price: {
      kobo_per_credit: KOBO_PER_CREDIT,
      vat_basis_points: VAT_BASIS_POINTS,
      least_credits: 100,
      most_credits: 100_000,
    },
    billing: {
      name: 'Adire Finance Limited',
      address: ['14 Awolowo Road', 'Ikoyi', 'Lagos'],
      tax_number: '12345678-0001',
      email: 'chidi.finance@example.com',
    },
    suggested_billing: null,
    lots: [
      {
        id: '01JD2E9ZK4M7Q0V5W8X1Y3A6BB',
        kind: 'promotional',
        credits: 500,
        remaining: 120,
        kobo_per_credit: null,
        created_at: ago(40 * DAY_MS),
        expires_at: ago(-50 * DAY_MS),
      },
      {
        id: '01JD2E9ZK4M7Q0V5W8X1Y3A6BC',
        kind: 'paid',
        credits: 14_170,
        remaining: 12_360,
        kobo_per_credit: KOBO_PER_CREDIT,
        created_at: ago(10 * DAY_MS),
        expires_at: null,
      },
    ],
    top_ups: [
      topUpView({ env }),
      topUpView({ env, reference: 'TOPUP-01JD2E9ZK4M7Q0V5W8X1Y3A6BD', state: 'EXPIRED', checkout_url: null }),
      creditedView({ env, reference: 'TOPUP-01JD2E9ZK4M7Q0V5W8X1Y3A6BE', credits: 14_170 }),
    ],
    invoices: invoicesView(14, new URLSearchParams({ limit: '10' })).invoices,
    ...changes,
  };
};

function statementLine(index: number): StatementLineView {
  const line = {
    id: `01JD2E9ZK4M7Q0V5W8X1Y4${String(index).padStart(4, '0')}`,
    at: ago(DAY_MS - index * 1_000),
  };
  const worth = { net_kobo: KOBO_PER_CREDIT, vat_kobo: KOBO_PER_CREDIT / 10 };
  const none = { ...worth, request_id: null, service: null, key_label: null, reason: null };
  // The month begins with 1,000 credits. The fourth line adds 2,000, and the sixth adds 5.
  const balance_after = 999 - index + (index >= 3 ? 2_001 : 0) + (index >= 5 ? 6 : 0);
  if (index === 3)
    return { ...none, ...line, id: 'paystack:TOPUP-1', kind: 'TOP_UP', amount: 2_000, balance_after };
  if (index === 5)
    return { ...none, ...line, kind: 'CORRECTION', amount: 5, balance_after, reason: 'Ticket 118' };
  const request_id = `req_${index.toString(16).padStart(12, '0')}`;
  return {
    ...none,
    ...line,
    kind: 'CHARGE',
    amount: -1,
    balance_after,
    request_id,
    service: 'nin-basic',
    key_label: 'backend',
  };
}

/**
 * Returns a page of a month with `count` lines, which begins with 1,000 credits. The cursor is the position of the next
 * line.
 */
export const statementView = (count = 12, query = new URLSearchParams()): StatementView => {
  const first = Number(query.get('cursor') ?? 0);
  const next = first + Number(query.get('limit') ?? 50);
  const all = Array.from({ length: count }, (_, index) => statementLine(index));
  const lines = all.slice(first, next);
  const opening_balance = all[first - 1]?.balance_after ?? 1_000;
  return {
    opening_balance,
    closing_balance: lines.at(-1)?.balance_after ?? opening_balance,
    lines,
    next_cursor: next < count ? String(next) : null,
  };
};

/** Returns the response to a test request, whose record has this many fields. */
export const testRequestView = (fields = 3): TestRequestView => {
  const data = Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [`field_${index}`, 'AMAKA INVENTED']),
  );
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', 'X-Credits-Charged': '1' },
    envelope: { success: true, code: 'NIN_VERIFIED', message: 'NIN verified.', data },
    pdf: null,
    is_listed: true,
    took_ms: 84,
    available: 998,
    meaning: 'The registry has a record for this number. 1 test credit was charged.',
    fields: Object.keys(data).map((name) => ({ name: `data.${name}`, description: '`m` or `f`, or empty.' })),
    samples: ['cURL', 'Python', 'TypeScript', 'PHP'].map((language) => ({
      language,
      code: `${language}: send the request`,
    })),
    documentation_url: 'http://127.0.0.1:3000/docs/reference/verifyNinBasic.html',
  };
};

/** Returns the views of a member with all rights. */
export function demoViews(): Views {
  return {
    'GET /session': sessionView(),
    'POST /session/organisation': sessionView(),
    'POST /session/end': { sign_out_url: '/sign-in' },
    'GET /home': homeView(),
    'GET /organisation': organisationView(),
    'GET /members': membersView(),
    'GET /keys': keysView(),
    'POST /keys': (body: unknown) => newKeyView((body as CreateKeyBody).env),
    'GET /services': servicesView(),
    'POST /playground': testRequestView(),
    'GET /audit': (_: unknown, query: URLSearchParams) => changesView(12, query),
    'GET /wallet': (_: unknown, query: URLSearchParams) => walletView(envOf(query)),
    'GET /wallet/statement': (_: unknown, query: URLSearchParams) => statementView(12, query),
    'GET /invoices': (_: unknown, query: URLSearchParams) => invoicesView(14, query),
    'PUT /wallet/alert': (body: unknown) => {
      const { below } = body as ChangeBalanceAlertBody;
      return { below: below ?? 1_000, is_default: below === null };
    },
    'PUT /wallet/automatic-top-up': (body: unknown) => {
      const { settings, keeps_card } = body as ChangeAutomaticTopUpBody;
      if (settings) return automaticView({ below: settings.below });
      return automaticView({ state: 'OFF', ...(!keeps_card && { card_order: null, card: null }) });
    },
    'PUT /wallet/billing': (body: unknown) => body,
    'POST /wallet/top-ups': (body: unknown) => {
      const { env, credits } = body as StartTopUpBody;
      return topUpView({ env, credits });
    },
    [`GET /wallet/top-ups/${topUpView().reference}`]: (_: unknown, query: URLSearchParams) =>
      creditedView({ env: envOf(query) }),
    'GET /status': statusView(),
    ...requestViews(),
    ...alertViews(),
    ...webhookViews(),
  };
}
