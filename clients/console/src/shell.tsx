import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Environment } from '../../../shared/core/environment.ts';
import { interrupted, type Problem } from './api.ts';
import { Badge } from './components/badge.tsx';
import { Menu } from './components/menu.tsx';
import { Notice, ProblemNotice, RepeatNotice } from './components/notice.tsx';
import { Owners } from './components/owners.tsx';
import { useEnvironment } from './environment.ts';
import { isUtcShown, showUtc } from './format.ts';
import { pageIn } from './page-address.ts';
import type { PermittedRoute } from './permissions.ts';
import { isSignInOld, may, role, session, signOut, stageName, switchOrganisation } from './session.ts';
import { pageTitles, roleNames, sharedTexts } from './shared-texts.ts';

/** Always tests, and leaves the environment of the other pages as it is. */
const PLAYGROUND = '/playground';

/** The pages of the navigation, each with the route that a member must be permitted to call. */
const NAVIGATION: readonly { path: string; label: string; route: PermittedRoute }[] = [
  { path: '/', label: pageTitles.home, route: 'show-home' },
  { path: '/keys', label: pageTitles.keys, route: 'list-keys' },
  { path: '/services', label: pageTitles.services, route: 'list-services' },
  { path: PLAYGROUND, label: pageTitles.playground, route: 'send-test-request' },
  { path: '/wallet', label: pageTitles.wallet, route: 'show-wallet' },
  { path: '/requests', label: pageTitles.requests, route: 'list-requests' },
  { path: '/usage', label: pageTitles.usage, route: 'show-usage' },
  { path: '/webhooks', label: pageTitles.webhooks, route: 'list-webhooks' },
  { path: '/alerts', label: pageTitles.alerts, route: 'show-alerts' },
  { path: '/team', label: pageTitles.team, route: 'list-members' },
  { path: '/organisation', label: pageTitles.organisation, route: 'show-organisation' },
  { path: '/audit', label: pageTitles.audit, route: 'list-changes' },
];

const isIn = (path: string, page: string) => path === page || path.startsWith(`${page}/`);

/** The frame of every page. It appears before the session and the data of the page are known. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { path, url } = useLocation();
  const isMenuOpen = useSignal(false);
  useEffect(() => {
    isMenuOpen.value = false;
  }, [path]);
  const organisation = session.value?.organisation;
  const isMember = organisation != null;
  const hasNavigation = NAVIGATION.some((page) => isIn(path, page.path)) || isMember;
  return (
    <div class={`shell ${path.slice(1)}`}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      {hasNavigation && <TestBar />}
      <header>
        {hasNavigation && (
          <button
            type="button"
            class="menu-button"
            aria-expanded={isMenuOpen.value}
            aria-controls="pages"
            onClick={() => {
              isMenuOpen.value = !isMenuOpen.value;
            }}
          >
            Menu
          </button>
        )}
        {isMember ? <OrganisationMenu /> : <span class="product">{sharedTexts.product}</span>}
        {session.value && <AccountMenu />}
        {stageName.value && <Badge kind="bad">{stageName.value}</Badge>}
        {hasNavigation && <EnvironmentSwitch />}
      </header>
      {hasNavigation && <Navigation isOpen={isMenuOpen} />}
      <main id="content" tabIndex={-1}>
        {organisation?.status === 'SUSPENDED' && <Suspended because={organisation.suspended_because} />}
        {isMember && interrupted.value === url && !isSignInOld() && <RepeatNotice />}
        {children}
      </main>
      <Footer />
    </div>
  );
}

function Suspended({ because }: { readonly because: string | null }) {
  return (
    <Notice kind="warning">
      <p>
        Your organisation is suspended, and its requests are rejected.{' '}
        {because ? `The reason: ${because} Contact support.` : 'Contact support to learn why.'}{' '}
        {may('show-wallet') && <a href="/wallet">Open the wallet with its invoices</a>}
      </p>
    </Notice>
  );
}

/** Shows by colour and in words that the page is about the test environment. */
function TestBar() {
  const isPlayground = useLocation().path === PLAYGROUND;
  return isPlayground || useEnvironment() === 'test' ? (
    <p class="test-bar">Test: sandbox records, no live look-ups.</p>
  ) : null;
}

/** Parameters that name something of one environment. */
const OF_ONE_ENVIRONMENT = ['env', 'id', 'line', 'since', 'top_up'];

/** Links, because the environment is part of the address. They keep what the person searches for. */
function EnvironmentSwitch() {
  const { path, query } = useLocation();
  const environment = useEnvironment();
  if (path === PLAYGROUND) return null;
  const kept = Object.entries(query).filter(([name]) => !OF_ONE_ENVIRONMENT.includes(name));
  const pageOf = (other: Environment) => pageIn(other, path, Object.fromEntries(kept));
  return (
    <nav class="switch" aria-label="Environment">
      <a href={pageOf('test')} aria-current={environment === 'test' ? 'true' : undefined}>
        Test
      </a>
      <a href={pageOf('live')} aria-current={environment === 'live' ? 'true' : undefined}>
        Live
      </a>
    </nav>
  );
}

function Navigation({ isOpen }: { readonly isOpen: Signal<boolean> }) {
  const { path } = useLocation();
  const environment = useEnvironment();
  // On phones, the owners are requested when the menu opens.
  const isShown = isOpen.value || matchMedia('(min-width: 70rem)').matches;
  return (
    <nav id="pages" class={isOpen.value ? 'pages open' : 'pages'} aria-label="Pages">
      <ul>
        {NAVIGATION.filter(({ route }) => may(route)).map((page) => (
          <li key={page.path}>
            <a
              href={pageIn(environment, page.path)}
              aria-current={isIn(path, page.path) ? 'page' : undefined}
              onClick={() => {
                isOpen.value = false;
              }}
            >
              {page.label}
            </a>
          </li>
        ))}
      </ul>
      {role.value && !NAVIGATION.every(({ route }) => may(route)) && (
        <p class="small">
          Your role shows only these pages. Ask an owner for others. {isShown && <Owners />}
        </p>
      )}
    </nav>
  );
}

function OrganisationMenu() {
  const problem = useSignal<Problem | undefined>(undefined);
  const { organisation, organisations = [] } = session.value ?? {};
  const change = async (id: string) => {
    problem.value = await switchOrganisation(id);
  };
  return (
    <Menu summary={<span class="name">{organisation?.name}</span>}>
      <p class="menu-title">Your organisations</p>
      <ul>
        {organisations.map(({ id, name, role }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === organisation?.id ? 'true' : undefined}
              onClick={() => change(id)}
            >
              <span class="name">{name}</span>
              <span class="small">{roleNames[role]}</span>
            </button>
          </li>
        ))}
      </ul>
      <ProblemNotice problem={problem.value} />
      <a href="/new-organisation">Create an organisation</a>
    </Menu>
  );
}

function AccountMenu() {
  const problem = useSignal<Problem | undefined>(undefined);
  const leave = async (everywhere: boolean) => {
    problem.value = await signOut(everywhere);
  };
  const { person } = session.value ?? {};
  return (
    <Menu
      isAtEnd
      summary={
        <>
          <span class="avatar" aria-hidden="true">
            {person?.name.slice(0, 1).toUpperCase()}
          </span>
          <span class="hidden">Your account</span>
        </>
      }
    >
      <p class="menu-title name">{person?.name}</p>
      <p class="small name">{person?.email}</p>
      <ProblemNotice problem={problem.value} />
      <button type="button" onClick={() => leave(false)}>
        Sign out
      </button>
      <button type="button" onClick={() => leave(true)}>
        Sign out on all devices
      </button>
    </Menu>
  );
}

function Footer() {
  if (!session.value) return null;
  const { documentation_url, support_contact } = session.value;
  return (
    <footer>
      <span>{isUtcShown.value ? 'Times are in UTC.' : sharedTexts.timesInLagos}</span>
      <button type="button" class="button link" onClick={() => showUtc(!isUtcShown.value)}>
        {isUtcShown.value ? 'Show Nigerian time' : 'Show UTC'}
      </button>
      <a href={documentation_url}>Documentation</a>
      <a href="/status">Service status</a>
      <SupportContact contact={support_contact} />
    </footer>
  );
}

function SupportContact({ contact }: { readonly contact: string }) {
  if (/^https?:/.test(contact)) return <a href={contact}>Support</a>;
  if (/^[^\s@]+@[^\s@]+$/.test(contact)) return <a href={`mailto:${contact}`}>Support</a>;
  return <span>{`Support: ${contact}`}</span>;
}
