import { paragraph, table } from '../output.ts';

/** `not yet`: the check must wait for a deployment. This is not a fault. */
type State = 'ok' | 'finding' | 'not yet';

export interface Row {
  readonly check: string;
  readonly state: State;
  readonly finding: string;
  /**
   * Shell commands, in order. A line that starts with `#` says what to edit, or why. Empty if there is nothing to do.
   */
  readonly fix: readonly string[];
}

export function ok(check: string, finding: string): Row {
  return { check, state: 'ok', finding, fix: [] };
}

export function fault(check: string, finding: string, ...fix: readonly string[]): Row {
  return { check, state: 'finding', finding, fix };
}

export function notYet(check: string, finding: string, ...fix: readonly string[]): Row {
  return { check, state: 'not yet', finding, fix };
}

/**
 * Formats the rows as a table, followed by the commands of the rows that have any. Commands are never wrapped, so that
 * they can be copied.
 */
export function formatRows(rows: readonly Row[], width: number): string {
  const cells = rows.map(({ check, state, finding }) => [check, state, finding]);
  const fixes = [...fixesOf(rows)].map(([fix, checks]) =>
    [
      paragraph(`${[...checks].join(', ')}:`, width),
      ...fix.split('\n').map((line) => shown(line, width)),
    ].join('\n'),
  );
  return [
    table(['CHECK', 'STATE', 'FINDING'], cells, width),
    ...(fixes.length > 0 ? ['What to do:', ...fixes] : []),
    paragraph(summary(rows), width),
  ].join('\n\n');
}

function shown(line: string, width: number): string {
  if (!line.startsWith('# ')) return `  ${line}`;
  return paragraph(line.slice(2), width - 4).replaceAll(/^/gm, '  # ');
}

/** Returns the fixes of the rows. Each is listed once, with the checks that need it. */
function fixesOf(rows: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> {
  const fixes = new Map<string, Set<string>>();
  for (const { check, fix } of rows.filter((row) => row.fix.length > 0)) {
    const lines = fix.join('\n');
    fixes.set(lines, (fixes.get(lines) ?? new Set()).add(check));
  }
  return fixes;
}

function summary(rows: readonly Row[]): string {
  const findings = rows.filter(({ state }) => state === 'finding').length;
  const waiting = rows.filter(({ state }) => state === 'not yet').length;
  const rest =
    waiting > 0 ? ` ${checks(waiting)} for the deployment: run the preflight again afterwards.` : '';
  if (findings === 0) return `No findings.${rest}`;
  return `${findings} ${findings === 1 ? 'finding' : 'findings'}.${rest}`;
}

function checks(count: number): string {
  return count === 1 ? '1 check is waiting' : `${count} checks are waiting`;
}
