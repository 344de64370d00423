import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { ListSecretVersionIdsCommand } from '@aws-sdk/client-secrets-manager';
import { metrics } from './logger.ts';
import { secretsManager } from './secrets.ts';

/** How long secrets have stood unchanged, by the dates of their versions: no value is read. */

const DAY_MS = 24 * 3600_000;
/** Days are counted, and each look costs a call for each secret. */
const EVERY_MS = 6 * 3600_000;
const PAGE = 100;

/**
 * Reports the age in whole days of whichever of these secrets (ARNs) has stood unchanged longest, as the metric
 * `oldestSecretDays`, unless it did so in the last 6 hours. Rejects where a secret cannot be looked at.
 */
export function secretAges(arns: readonly string[]): (nowMs: number) => Promise<void> {
  let publishedAtMs = Number.NEGATIVE_INFINITY;
  return async (nowMs) => {
    if (arns.length === 0 || nowMs - publishedAtMs < EVERY_MS) return;
    const changes = await Promise.all(arns.map(changedAtMs));
    publishedAtMs = nowMs;
    const days = Math.floor((nowMs - Math.min(...changes)) / DAY_MS);
    metrics.addMetric('oldestSecretDays', MetricUnit.Count, days);
    metrics.publishStoredMetrics();
  };
}

/** When the value that is used now was put. (`LastChangedDate` moves with a tag or a description, too.) */
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
