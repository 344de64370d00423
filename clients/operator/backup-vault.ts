import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { type ApiRequest, type SigningConfig, signedFetch } from './signed-fetch.ts';

/** The recovery points of a vault in AWS Backup. The service has no SDK client here, because only a restore needs it. */

export interface RecoveryPoint {
  readonly arn: string;
  readonly createdAt: Date;
}

const POLL_MS = 30_000;

const pointList = v.object({
  RecoveryPoints: v.array(
    v.object({
      RecoveryPointArn: v.string(),
      ResourceArn: v.string(),
      CreationDate: v.pipe(
        v.number(),
        v.transform((seconds) => new Date(seconds * 1_000)),
      ),
      Status: v.string(),
    }),
  ),
  NextToken: v.optional(v.nullable(v.string())),
});
const restoreMetadata = v.object({ RestoreMetadata: v.record(v.string(), v.string()) });
const startedJob = v.object({ RestoreJobId: v.string() });
const restoreJob = v.object({ Status: v.string(), StatusMessage: v.optional(v.nullable(v.string())) });

interface Vault {
  readonly name: string;
  readonly endpoint: string;
  readonly config: SigningConfig;
  /** @default half a minute */
  readonly pollMs?: number;
}

/** Every method throws with AWS's message if AWS rejects the request. */
export function backupVault({ name, endpoint, config, pollMs = POLL_MS }: Vault) {
  const send = async <const S extends v.GenericSchema>(
    schema: S,
    path: string,
    request: Partial<ApiRequest> = {},
  ) => {
    const url = new URL(path, endpoint);
    const response = await signedFetch({ method: 'GET', service: 'backup', ...request, url }, config);
    const body: unknown = await response.json();
    if (!response.ok) throw new Error(`AWS Backup rejected ${url.pathname}: ${JSON.stringify(body)}`);
    return v.parse(schema, body);
  };
  const points = async () => {
    const found: v.InferOutput<typeof pointList>['RecoveryPoints'] = [];
    let next: string | null | undefined = '';
    do {
      const more = next ? `&nextToken=${encodeURIComponent(next)}` : '';
      const path = `/backup-vaults/${name}/recovery-points/?resourceType=DynamoDB${more}`;
      const page: v.InferOutput<typeof pointList> = await send(pointList, path);
      found.push(...page.RecoveryPoints.filter(({ Status }) => Status === 'COMPLETED'));
      next = page.NextToken;
    } while (next);
    return found;
  };
  return {
    /** Returns the newest copy of the table with this logical name, under whatever name it was used. */
    async newestOf(table: string): Promise<RecoveryPoint> {
      const isOfTable = new RegExp(`:table/.*-data-${table}[0-9A-F]{8}-`);
      const [newest] = (await points())
        .filter(({ ResourceArn }) => isOfTable.test(ResourceArn))
        .sort((a, b) => b.CreationDate.getTime() - a.CreationDate.getTime());
      if (!newest) throw new Error(`The vault ${name} has no copy of the table ${table}.`);
      return { arn: newest.RecoveryPointArn, createdAt: newest.CreationDate };
    },

    /** Restores a copy as a new table, and waits until that is done. */
    async restore({ arn }: RecoveryPoint, target: string, role: string): Promise<void> {
      const path = `/backup-vaults/${name}/recovery-points/${encodeURIComponent(arn)}/restore-metadata`;
      const { RestoreMetadata } = await send(restoreMetadata, path);
      const job = {
        RecoveryPointArn: arn,
        IamRoleArn: role,
        ResourceType: 'DynamoDB',
        // A second run with the same target continues the first.
        IdempotencyToken: target,
        Metadata: { ...RestoreMetadata, targetTableName: target },
      };
      const headers = { 'content-type': 'application/json' };
      const { RestoreJobId } = await send(startedJob, '/restore-jobs', {
        ...{ method: 'PUT', headers, body: JSON.stringify(job) },
      });
      for (;;) {
        const { Status, StatusMessage } = await send(restoreJob, `/restore-jobs/${RestoreJobId}`);
        if (Status === 'COMPLETED') return;
        if (Status === 'FAILED' || Status === 'ABORTED')
          throw new Error(`The restore of ${target} is ${Status}: ${StatusMessage ?? 'no reason'}`);
        await wait(pollMs);
      }
    },
  };
}
