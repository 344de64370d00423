import { type CatalogueEntry, CONSOLE_CATALOGUE } from '../../shared/core/errors.ts';
import { ROLES } from '../../shared/core/member-role.ts';
import { CONSOLE_ROUTES, type ConsoleRoute } from '../../shared/http/console/routes.ts';
import { withTable } from './code-table.ts';

/** The tables of routes and codes in docs/operate/console.md. `npm run openapi` writes them. */

const RECENT = { always: 'recent', live: 'recent if live' } as const;

function rolesOf({ roles }: ConsoleRoute): string {
  if (roles === 'public') return 'everyone';
  if (roles === 'signed-in') return 'signed in';
  return roles.length === ROLES.length ? 'all roles' : roles.join(', ');
}

function routeTable(): string {
  const rows = Object.values(CONSOLE_ROUTES).map((route: ConsoleRoute) => {
    const { method, path, needsRecentSignIn, action } = route;
    const recent = needsRecentSignIn ? RECENT[needsRecentSignIn] : '';
    return `| \`${method} ${path}\` | ${rolesOf(route)} | ${recent} | ${action ?? ''} |`;
  });
  return `| route below \`/console/api\` | who | sign-in | action in the audit trail |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function codeRows(): string {
  const entries = Object.entries<CatalogueEntry>(CONSOLE_CATALOGUE).sort(
    ([, a], [, b]) => a.status - b.status,
  );
  const rows = entries.map(([code, { status, message }]) => `| ${status} | \`${code}\` | ${message} |`);
  return `| HTTP | Code | Message |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** Returns docs/operate/console.md with new tables of routes and codes between their markers. */
export function withConsoleTables(page: string): string {
  return withTable(withTable(page, 'console routes', routeTable()), 'console codes', codeRows());
}
