import { REASONS } from '../../shared/verifications/error-reasons.ts';

/** The table of error reasons in docs/guides/errors.md, which `npm run openapi` writes. */

export function reasonTable(): string {
  const rows = Object.entries(REASONS).map(
    ([reason, { meaning, codes }]) =>
      `| \`${reason}\` | ${codes.map((code) => `\`${code}\``).join(' ')} | ${meaning} |`,
  );
  return `${['| Reason | Codes | Meaning |', '|---|---|---|', ...rows].join('\n')}\n`;
}
