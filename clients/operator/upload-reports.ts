import type { S3Bucket } from '../../shared/core/bucket.ts';
import type { Environment } from '../../shared/core/environment.ts';
import { MONTH_REPORT_NAMES, MONTH_REPORTS } from '../../shared/payments/reports/month-reports.ts';
import { reportCsv, reportJson } from '../../shared/payments/reports/report.ts';
import type { WalletMonth } from '../../shared/payments/reports/wallet-month.ts';
import type { Deployment } from './deployment.ts';
import { counted } from './output.ts';
import { accountsOf, type ReportContext } from './print-report.ts';

export type ClosingContext = ReportContext & {
  readonly deployment: Pick<Deployment, 'reportBucket'>;
  notify(text: string): void;
};

/**
 * If the stage has a bucket. A failure does not undo the closing: repeating the command stores them again. Error
 * messages are for the operator.
 */
export async function uploadAfterClosing(
  month: string,
  env: Environment,
  context: ClosingContext,
): Promise<void> {
  const bucket = context.deployment.reportBucket();
  if (!bucket) return;
  try {
    const keys = await uploadReports(month, env, await accountsOf(month, env, context), bucket);
    context.notify(`Stored ${counted(keys.length, 'report file')} in the bucket ${bucket.name}.`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${month} is closed, but its reports were not stored. ${why} Run the same command again.`,
    );
  }
}

/** As CSV and JSON, such as `reports/live/2026-11/revenue.csv`. A later upload replaces them. */
export async function uploadReports(
  month: string,
  env: Environment,
  months: readonly WalletMonth[],
  bucket: S3Bucket,
): Promise<string[]> {
  const keys: string[] = [];
  for (const name of MONTH_REPORT_NAMES) {
    const report = MONTH_REPORTS[name](months);
    const key = `reports/${env}/${month}/${name}`;
    await bucket.put(`${key}.csv`, { contentType: 'text/csv; charset=utf-8', text: reportCsv(report) });
    await bucket.put(`${key}.json`, { contentType: 'application/json', text: reportJson(report) });
    keys.push(`${key}.csv`, `${key}.json`);
  }
  return keys;
}
