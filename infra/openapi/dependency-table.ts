import { withTable } from './code-table.ts';

/** The packages with a common purpose in docs/dependencies.json. */
export interface Dependency {
  readonly packages: readonly string[];
  readonly purpose: string;
}

/** Returns docs/design/architecture.md with a new table of dependencies between its markers. `npm run openapi` writes it. */
export function withDependencyTable(page: string, dependencies: readonly Dependency[]): string {
  const rows = dependencies.map(({ packages, purpose }) => {
    const names = packages.map((name) => `\`${name}\``).join(', ');
    return `| ${names} | ${purpose} |\n`;
  });
  return withTable(page, 'dependencies', `| package | purpose |\n|---|---|\n${rows.join('')}`);
}
