import { ALL_SCOPES, scopeOf } from '../../shared/accounts/key-limits.ts';
import type {
  ChangesView,
  ChangeView,
  CreateKeyBody,
  HomeView,
  KeysView,
  KeyView,
  MembersView,
  NewKeyView,
  OrganisationView,
  ServicesView,
  SessionView,
} from '../../shared/console/views.ts';
import type { Environment } from '../../shared/core/environment.ts';
import { SERVICE_NAMES, SERVICES } from '../../shared/verifications/services.ts';
import type { Views } from './pages-double.ts';

/** Views of the demo organisation, as the console's routes return them. All people are invented. */

const DAY_MS = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const organisation = { id: 'org_demo', name: 'Adire Finance Limited' };

export const sessionView = (): SessionView => ({
  person: { id: 'demo-amaka', name: 'Amaka Obi', email: 'amaka.owner@example.com' },
  signed_in_at: ago(60_000),
  organisation: { ...organisation, status: 'PENDING', role: 'owner' },
  organisations: [
    { ...organisation, role: 'owner' },
    { id: 'org_other', name: 'Kano Grain Traders', role: 'viewer' },
  ],
  api_url: 'http://127.0.0.1:3000',
  documentation_url: 'http://127.0.0.1:3000/docs/',
  terms: { version: '2026-11', url: 'http://127.0.0.1:3000/terms' },
  support_contact: 'support@example.com',
});

export const homeView = (): HomeView => ({
  status: 'PENDING',
  steps: [
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
  registries: [
    { id_type: 'NIN', status: 'up' },
    { id_type: 'BVN', status: 'up' },
    { id_type: 'CAC', status: 'degraded' },
    { id_type: 'TIN', status: 'down' },
    { id_type: 'NUBAN', status: 'off' },
  ],
  look_ups: Array.from({ length: 15 }, (_, index) => ({
    day: ago((14 - index) * DAY_MS).slice(0, 10),
    count: index === 3 ? 0 : 40 + ((index * 53) % 97) * 7,
  })),
  keys: { live: 1, test: 2 },
});

export const organisationView = (): OrganisationView => ({
  ...organisation,
  status: 'PENDING',
  created_at: ago(20 * DAY_MS),
  submitted_at: null,
  profile: {
    company_number: 'RC1234567',
    tax_number: '01234567-0001',
    address: ['14 Awolowo Road', 'Ikoyi', 'Lagos'],
    billing_contact: { name: 'Chidi Eze', email: 'chidi.finance@example.com' },
    privacy_contact: { name: 'Amaka Obi', email: 'amaka.owner@example.com' },
  },
  checks: {
    company: {
      number: 'RC1234567',
      result: 'FOUND',
      name: 'ADIRE FINANCE LIMITED',
      checked_at: ago(DAY_MS),
      request_id: 'req_0123456789ab',
    },
    tax: {
      number: '01234567-0001',
      result: 'NOT_FOUND',
      name: null,
      checked_at: ago(DAY_MS),
      request_id: 'req_0123456789ac',
    },
  },
  checks_left: 3,
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
      created_at: ago(DAY_MS),
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
    invited_by: invitedBy,
    is_you: id === 'demo-amaka',
  };
}

export const keysView = (count = 6): KeysView => ({
  keys: Array.from({ length: count }, (_, index) => key(index)),
  scopes: [...ALL_SCOPES, ...SERVICE_NAMES.map(scopeOf).filter((scope) => scope !== 'slip:read')],
});

const STATUSES = ['active', 'active', 'expiring', 'active', 'revoked', 'expired'] as const;

/** Keys of all kinds: each third one is a live key, and some have limits. */
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

/** What a new key looks like. Its text is invented, and no key of any environment. */
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
    target: 'nin-basic',
    before: { is_enabled: false },
    after: { is_enabled: true },
  },
  {
    action: 'key create',
    target: 'test key 9fb1561c5c6a',
    before: null,
    after: { label: 'backend', scopes: ['verify:nin-basic', 'wallet:read'], notAfter: null },
  },
  {
    action: 'org approve',
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
    at: ago(index * 3_600_000),
    by: isOperator ? { kind: 'operator', name: 'Operator' } : { kind: 'member', name: 'Amaka Obi' },
    address: isOperator ? null : '102.89.34.7',
    request_id: isOperator ? null : 'req_0123456789ab',
  };
}

/** A page of `count` changes. The cursor is the position of the next one. */
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

/** What a member with all rights sees. */
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
    'GET /audit': (_: unknown, query: URLSearchParams) => changesView(12, query),
  };
}
