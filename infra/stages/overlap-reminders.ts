import type { StageConfig } from '../config.ts';

/**
 * Returns a reminder for each address that should have been closed by now. The address stays open until someone changes
 * the setting. `today` has the form YYYY-MM-DD.
 */
export function overlapReminders({ stage, operations }: StageConfig, today: string): string[] {
  const { generatedUrl, previousDomains = [] } = operations ?? {};
  const file = `infra/stages/${stage}.ts`;
  const generated = typeof generatedUrl === 'object' ? [generatedUrl] : [];
  return [
    ...generated
      .filter(({ openUntil }) => openUntil < today)
      .map(
        ({ openUntil }) =>
          `The URL that API Gateway generates was to stay open until ${openUntil}. If customers and slips no longer ` +
          `use it, set generatedUrl to 'closed' in ${file}. Otherwise, set a later date.`,
      ),
    ...previousDomains
      .filter(({ openUntil }) => openUntil < today)
      .map(
        ({ name, openUntil }) =>
          `The domain ${name} was to stay open until ${openUntil}. If customers and slips no longer use it, remove ` +
          `it from previousDomains in ${file}. Otherwise, set a later date.`,
      ),
  ];
}
