import { type ApiDocument, readDocument, routesOf } from './document.ts';
import { type Group, GUIDES, OPERATE, readPage, titleOf } from './pages.ts';
import { pathOf } from './reference.ts';

/** The navigation of the site. */

/** A heading of the navigation, with links. */
export interface NavigationGroup {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly link: string }[];
}

interface Navigation {
  /** For customers: developers who call the API, and teams that use the console. */
  readonly guides: readonly NavigationGroup[];
  readonly reference: readonly NavigationGroup[];
  /** For the team that runs the service and for those who change it. */
  readonly operate: readonly NavigationGroup[];
}

export function navigation(): Navigation {
  return {
    guides: GUIDES.map(groupOf),
    reference: referenceGroups(readDocument()),
    operate: OPERATE.map(groupOf),
  };
}

function groupOf({ title, pages }: Group): NavigationGroup {
  const items = pages.map((page) => ({
    text: page.label ?? titleOf(page.source, readPage(page)),
    link: `/${page.path}`,
  }));
  return { text: title, items };
}

function referenceGroups(document: ApiDocument): NavigationGroup[] {
  return document.tags.map(({ name }, index) => {
    const routes = routesOf(document).filter(({ operation }) => operation.tags.includes(name));
    const items = routes.map((route) => ({ text: route.operation.summary, link: `/${pathOf(route)}` }));
    const overview = { text: 'Overview', link: '/reference/' };
    return { text: name, items: index === 0 ? [overview, ...items] : items };
  });
}
