import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router } from 'preact-iso/router';
import { environmentOf } from './environment.ts';
import { requestEarly } from './loaded-data.ts';
import { PageNotFound } from './pages/page-not-found.tsx';
import { PageNotLoaded } from './pages/page-not-loaded.tsx';
import { Shell } from './shell.tsx';
import { loadStyles } from './styles.ts';

/** The code and the styles of a page are separate files, which are loaded when the page is opened. */
const page = (name: string, load: () => Promise<{ default: () => preact.JSX.Element }>) =>
  lazy(() =>
    Promise.all([load(), loadStyles(name)]).then(
      ([code]) => code,
      () => ({ default: PageNotLoaded }),
    ),
  );

/** The environment of the first page, whose data is requested before its code has arrived. */
const environment = environmentOf(new URLSearchParams(location.search).get('env'));

const PAGES = {
  '/': { component: page('home', () => import('./pages/home.tsx')), data: '/home' },
  '/keys': { component: page('keys', () => import('./pages/keys.tsx')), data: '/keys' },
  '/services': { component: page('services', () => import('./pages/services.tsx')), data: '/services' },
  '/wallet': {
    component: page('wallet', () => import('./pages/wallet.tsx')),
    data: `/wallet?env=${environment}`,
  },
  '/wallet/statement': {
    component: page('statement', () => import('./pages/statement.tsx')),
    data: undefined,
  },
  '/requests': {
    component: page('requests', () => import('./pages/requests.tsx')),
    data: `/requests?env=${environment}`,
  },
  '/usage': {
    component: page('usage', () => import('./pages/usage.tsx')),
    data: `/usage?env=${environment}`,
  },
  '/webhooks': {
    component: page('webhooks', () => import('./pages/webhooks.tsx')),
    data: `/webhooks?env=${environment}`,
  },
  '/alerts': { component: page('alerts', () => import('./pages/alerts.tsx')), data: '/alerts' },
  '/playground': { component: page('playground', () => import('./pages/playground.tsx')), data: '/home' },
  '/audit': { component: page('audit', () => import('./pages/audit.tsx')), data: '/audit' },
  '/team': { component: page('team', () => import('./pages/team.tsx')), data: '/members' },
  '/organisation': {
    component: page('organisation', () => import('./pages/organisation.tsx')),
    data: '/organisation',
  },
  '/new-organisation': {
    component: page('new-organisation', () => import('./pages/new-organisation.tsx')),
    data: undefined,
  },
  '/invitation': { component: page('invitation', () => import('./pages/invitation.tsx')), data: undefined },
  '/status': { component: page('status', () => import('./pages/status.tsx')), data: '/status' },
  '/sign-in': { component: page('sign-in', () => import('./pages/sign-in.tsx')), data: undefined },
};

/**
 * Requests the code and the data of a page at the same time. If the address has parameters other than `env=test`, which
 * may select other data, requests only the code.
 */
export function preloadPage(path: string): void {
  const first = path in PAGES ? PAGES[path as keyof typeof PAGES] : undefined;
  first?.component.preload();
  if (first?.data && ['', '?env=test'].includes(location.search)) requestEarly(first.data);
}

/** Links below /console lead to the API, not to a page. */
const PAGE_LINKS = /^\/(?!console\/)/;

export function App() {
  return (
    <LocationProvider scope={PAGE_LINKS}>
      <Shell>
        <Router>
          {Object.entries(PAGES).map(([path, { component }]) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route default component={PageNotFound} />
        </Router>
      </Shell>
    </LocationProvider>
  );
}
