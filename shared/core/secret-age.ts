import { ListSecretVersionIdsCommand } from '@aws-sdk/client-secrets-manager';
import { DAY_MS, HOUR_MS } from './clock.ts';
import { publishMetrics } from './metrics.ts';
import { secretsManager } from './secrets.ts';

/** Measures how long secrets have been unchanged, from the dates of their versions. */

const EVERY_MS = 6 * HOUR_MS;
const PAGE = 100;

/**
 * Returns a function that publishes the age in whole days of the oldest of these secrets (ARNs) as the metric
 * `oldestSecretDays`, at most once every 6 hours.
 */
export function secretAges(arns: readonly string[]): (nowMs: number) => Promise<void> {
  let publishedAtMs = Number.NEGATIVE_INFINITY;
  return async (nowMs) => {
    if (arns.length === 0 || nowMs - publishedAtMs < EVERY_MS) return;
    const changes = await Promise.all(arns.map(changedAtMs));
    publishedAtMs = nowMs;
    const days = Math.floor((nowMs - Math.min(...changes)) / DAY_MS);
    publishMetrics({ values: { oldestSecretDays: days } });
  };
}

/** Returns when the current value was stored. (`LastChangedDate` also changes with a tag or a description.) */
async function changedAtMs(arn: string): Promise<number> {
  let next: string | undefined;
  do {
    const request = { SecretId: arn, MaxResults: PAGE, ...(next && { NextToken: next }) };
    const page = await secretsManager().send(new ListSecretVersionIdsCommand(request));
    const current = page.Versions?.find(({ VersionStages = [] }) => VersionStages.includes('AWSCURRENT'));
    if (current?.CreatedDate) return current.CreatedDate.getTime();
    next = page.NextToken;
  } while (next);
  throw new Error('A secret has no current version.');
}
