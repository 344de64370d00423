import lazy from 'preact-iso/lazy';
import { LocationProvider, Route, Router } from 'preact-iso/router';
import { requestEarly } from './loaded-data.ts';
import { PageNotFound } from './pages/page-not-found.tsx';
import { PageNotLoaded } from './pages/page-not-loaded.tsx';
import { Shell } from './shell.tsx';

/** Each page is a file of its own, loaded when it is opened. */
const page = (load: () => Promise<{ default: () => preact.JSX.Element }>) =>
  lazy(() => load().catch(() => ({ default: PageNotLoaded })));

/** The pages by path, with the route that each reads first. */
const PAGES = {
  '/': { component: page(() => import('./pages/home.tsx')), data: '/home' },
  '/keys': { component: page(() => import('./pages/keys.tsx')), data: '/keys' },
  '/services': { component: page(() => import('./pages/services.tsx')), data: '/services' },
  '/audit': { component: page(() => import('./pages/audit.tsx')), data: '/audit' },
  '/team': { component: page(() => import('./pages/team.tsx')), data: '/members' },
  '/organisation': { component: page(() => import('./pages/organisation.tsx')), data: '/organisation' },
  '/new-organisation': { component: page(() => import('./pages/new-organisation.tsx')), data: undefined },
  '/invitation': { component: page(() => import('./pages/invitation.tsx')), data: undefined },
  '/sign-in': { component: page(() => import('./pages/sign-in.tsx')), data: undefined },
};

/** Requests the code and the data of a page at the same time. */
export function preloadPage(path: string): void {
  const first = path in PAGES ? PAGES[path as keyof typeof PAGES] : undefined;
  first?.component.preload();
  if (first?.data) requestEarly(first.data);
}

/** Links below /console belong to the API, and leave the pages. */
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
