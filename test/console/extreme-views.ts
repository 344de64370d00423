import type { KeysView, KeyView, ServicesView } from '../../shared/accounts/console/views.ts';
import type { AlertsView } from '../../shared/alerts/console/views.ts';
import type { ChangesView } from '../../shared/audit/console/views.ts';
import { ROLES } from '../../shared/core/member-role.ts';
import type { HomeView } from '../../shared/home/console/views.ts';
import type { StatementView } from '../../shared/ledger/console/views.ts';
import type { MembersView, MemberView, SessionView } from '../../shared/members/console/views.ts';
import type { WalletView } from '../../shared/payments/console/views.ts';
import type { OrganisationView } from '../../shared/profiles/console/views.ts';
import type { UsageView } from '../../shared/usage/console/views.ts';
import type { RequestsView, TestRequestView } from '../../shared/verifications/console/views.ts';
import { alertsView } from './alert-views.ts';
import type { Views } from './pages-double.ts';
import { requestsView, usageView } from './request-views.ts';
import { statusView } from './status-views.ts';
import {
  automaticView,
  changesView,
  homeView,
  keysView,
  membersView,
  organisationView,
  servicesView,
  sessionView,
  statementView,
  testRequestView,
  topUpView,
  walletView,
} from './views.ts';
import { ATTEMPTS, waitingDelivery, webhooksView, webhookView } from './webhook-views.ts';

/** Views with the longest values that the console accepts, and long lists. All people are invented. */

/** A name without a space at which a line could break. */
const LONG_NAME = 'Wẹ́wẹ́'.repeat(20).slice(0, 100);
const LONG_LABEL = 'W'.repeat(60);
const LONG_EMAIL = `${'w'.repeat(64)}@${'w'.repeat(60)}.example.com`;
const LONG_NETWORK = '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff/128';
const MANY = 200;

function longSession(): SessionView {
  const view = sessionView();
  const organisations = Array.from({ length: 20 }, (_, index) => ({
    id: `org_${index}`,
    name: LONG_NAME,
    role: 'owner' as const,
  }));
  return {
    ...view,
    person: { id: 'long', name: LONG_NAME, email: LONG_EMAIL },
    organisation: {
      id: 'org_0',
      name: LONG_NAME,
      status: 'APPROVED',
      suspended_because: null,
      role: 'owner',
    },
    organisations,
    support_contact: LONG_EMAIL,
    stage: 'staging',
  };
}

const LARGE = 999_999_999;

function longHome(): HomeView {
  const view = homeView();
  return {
    ...view,
    wallets: { live: { available: LARGE, held: LARGE }, test: { available: LARGE, held: LARGE } },
    requests: view.requests.map((one) => ({ ...one, count: LARGE })),
  };
}

function longKeys(): KeysView {
  const { keys, scopes } = keysView(MANY);
  const long = (key: KeyView, index: number): KeyView => ({
    ...key,
    env: 'live',
    status: index % 10 === 0 ? 'revoked' : 'active',
    label: LONG_LABEL,
    created_by: LONG_NAME,
    last_network: LONG_NETWORK,
    scopes: index % 2 === 0 ? scopes : null,
    addresses: Array.from({ length: index % 4 === 0 ? 20 : 2 }, () => LONG_NETWORK),
  });
  return { keys: keys.map(long), scopes };
}

function longServices(): ServicesView {
  const returns = Array.from({ length: 60 }, (_, index) => `residential_address.${'w'.repeat(40)}_${index}`);
  const { services } = servicesView();
  return { services: services.map((service) => ({ ...service, price_credits: LARGE, returns })) };
}

function longMembers(): MembersView {
  const [first] = membersView().members;
  const members = Array.from({ length: 50 }, (_, index) => ({
    ...(first as MemberView),
    id: `member-${index}`,
    name: LONG_NAME,
    email: LONG_EMAIL,
    role: ROLES[index % ROLES.length] ?? 'viewer',
    invited_by: LONG_NAME,
    is_you: index === 0,
  }));
  const invitations = membersView().invitations.flatMap((one) =>
    Array.from({ length: 20 }, (_, index) => ({
      ...one,
      id: `invitation-${index}`,
      email: LONG_EMAIL,
      invited_by: LONG_NAME,
    })),
  );
  return { members, invitations };
}

function longOrganisation(): OrganisationView {
  const view = organisationView();
  const contact = { name: LONG_NAME, email: LONG_EMAIL };
  return {
    ...view,
    name: LONG_NAME,
    profile: view.profile && {
      ...view.profile,
      address: Array.from({ length: 6 }, () => LONG_NAME),
      billing_contact: contact,
      privacy_contact: contact,
    },
  };
}

function longChanges(query: URLSearchParams): ChangesView {
  const { changes, next_cursor } = changesView(MANY, query);
  const values = { label: LONG_LABEL, addressRanges: [LONG_NETWORK, LONG_NETWORK], nested: { a: LONG_NAME } };
  return {
    changes: changes.map((change) => ({
      ...change,
      by: { kind: 'member', name: LONG_NAME },
      target: LONG_LABEL,
      before: values,
      after: values,
      address: LONG_NETWORK,
    })),
    next_cursor,
  };
}

const LARGE_KOBO = LARGE * 1_000;
const LARGE_MONEY = { vat_kobo: LARGE_KOBO, total_kobo: LARGE_KOBO };

function longWallet(): WalletView {
  const view = walletView();
  const [lot] = view.lots;
  return {
    ...view,
    available: LARGE,
    held: LARGE,
    days: view.days.map((one) => ({ ...one, balance: LARGE })),
    daily_use: LARGE,
    alert: { below: LARGE, is_default: false },
    automatic: automaticView({
      state: 'STOPPED',
      stop_reason: 'unknown',
      below: LARGE,
      credits: LARGE,
      monthly_limit_kobo: LARGE_KOBO,
      charged_kobo: LARGE_KOBO,
      card_order: `TOPUP-${LONG_LABEL}`,
    }),
    billing: {
      name: LONG_NAME,
      address: Array.from({ length: 5 }, () => LONG_NAME),
      tax_number: LONG_LABEL,
      email: LONG_EMAIL,
    },
    lots: Array.from({ length: 40 }, (_, index) => ({
      ...(lot as WalletView['lots'][number]),
      id: `lot-${index}`,
      credits: LARGE,
      remaining: LARGE,
      kobo_per_credit: LARGE,
    })),
    top_ups: Array.from({ length: 10 }, (_, index) =>
      topUpView({ ...LARGE_MONEY, reference: `TOPUP-${LONG_LABEL}-${index}`, credits: LARGE }),
    ),
    invoices: view.invoices.map((one) => ({ ...one, ...LARGE_MONEY })),
  };
}

function longStatement(query: URLSearchParams): StatementView {
  const view = statementView(MANY, query);
  const lines = view.lines.map((line) => ({
    ...line,
    amount: -LARGE,
    balance_after: LARGE,
    net_kobo: LARGE_KOBO,
    vat_kobo: LARGE_KOBO,
    key_label: LONG_LABEL,
    reason: LONG_NAME,
  }));
  return { ...view, opening_balance: LARGE, closing_balance: LARGE, lines };
}

function longRequests(query: URLSearchParams): RequestsView {
  const view = requestsView(MANY, query);
  return {
    ...view,
    requests: view.requests.map((request) => ({
      ...request,
      credits_charged: LARGE,
      latency_ms: LARGE,
      key_label: LONG_LABEL,
      reference: 'W'.repeat(100),
    })),
    rejected: view.rejected.map((one) => ({ ...one, count: LARGE, key_label: LONG_LABEL })),
  };
}

function longUsage(query: URLSearchParams): UsageView {
  const view = usageView(query);
  const numbers = { requests: view.days.map(() => LARGE), credits: view.days.map(() => LARGE) };
  const many = Array.from({ length: 50 }, (_, index) => ({ name: `${LONG_LABEL}${index}`, ...numbers }));
  const totals = { ...view.totals, requests: LARGE, found: LARGE, errors: LARGE, credits: LARGE };
  return {
    ...view,
    by: { service: many, outcome: many, key: many },
    totals: { ...totals, cost_kobo: LARGE * 10_000 },
    previous: { ...totals, requests: 1 },
    latency: view.latency.map((one) => ({ ...one, requests: LARGE, p99_ms: LARGE })),
  };
}

function longAlerts(): AlertsView {
  const view = alertsView(MANY);
  const alerts = view.alerts.map((one) => ({ ...one, text: one.text.replace(/"[^"]*"/, `"${LONG_LABEL}"`) }));
  return {
    ...view,
    alerts,
    recipients: { ...view.recipients, balance_low: Array.from({ length: 50 }, () => LONG_NAME) },
  };
}

function longWebhooks(): Views {
  const view = webhooksView();
  const [first] = view.endpoints;
  const url = `https://example.com/${'a'.repeat(980)}`;
  const { event_types } = view;
  const last_delivery = waitingDelivery({ event_type: 'organisation.approved', attempts: LARGE });
  const endpoints = Array.from({ length: 5 }, (_, index) => ({
    ...webhookView({ url, last_delivery, old_secret_until: last_delivery.next_at }),
    event_types: event_types.map(({ type }) => type),
    id: index === 0 ? (first?.id ?? '') : `hook_${index}`,
  }));
  const deliveries = Array.from({ length: 20 }, (_, index) => ({
    ...last_delivery,
    id: `delivery-${index}`,
    body: JSON.stringify({ data: LONG_EMAIL.repeat(4) }),
  }));
  const attempts = ATTEMPTS.attempts.map((one) => ({ ...one, response_text: 'x'.repeat(2048) }));
  return {
    ...Object.fromEntries(deliveries.map(({ id }) => [`GET /deliveries/${id}/attempts`, { attempts }])),
    'GET /webhooks': { endpoints, event_types },
    [`GET /webhooks/${first?.id}/deliveries`]: { deliveries, next_cursor: 'older' },
  };
}

function longTestRequest(): TestRequestView {
  const view = testRequestView(100);
  return {
    ...view,
    status: 503,
    headers: { ...view.headers, 'X-Request-Id': LONG_EMAIL },
    envelope: { code: 'VERIFICATION_LOG_NOT_FOUND', data: { [LONG_LABEL]: LONG_NAME } },
    took_ms: LARGE,
    available: LARGE,
    fields: view.fields.map(({ name }) => ({ name: `data.${LONG_LABEL}[].${name}`, description: LONG_NAME })),
    samples: view.samples.map(({ language }) => ({ language, code: LONG_EMAIL.repeat(4) })),
  };
}

export function extremeViews(): Views {
  return {
    'GET /session': longSession(),
    'GET /home': longHome(),
    'GET /organisation': longOrganisation(),
    'GET /members': longMembers(),
    'GET /keys': longKeys(),
    'GET /services': longServices(),
    'GET /audit': (_: unknown, query: URLSearchParams) => longChanges(query),
    'POST /playground': longTestRequest(),
    'GET /wallet': longWallet(),
    'GET /wallet/statement': (_: unknown, query: URLSearchParams) => longStatement(query),
    'GET /requests': (_: unknown, query: URLSearchParams) => longRequests(query),
    'GET /alerts': longAlerts(),
    ...longWebhooks(),
    'GET /status': statusView(200),
    'GET /usage': (_: unknown, query: URLSearchParams) => longUsage(query),
  };
}
