import {
  ListRequestedServiceQuotaChangeHistoryByQuotaCommand,
  type RequestedServiceQuotaChange,
  RequestServiceQuotaIncreaseCommand,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { amount } from '../output.ts';
import { CLIENT_SETTINGS, call } from './aws-call.ts';
import type { World } from './world.ts';

export interface Quota {
  readonly serviceCode: string;
  readonly quotaCode: string;
}

interface QuotaRequest {
  readonly text: string;
  readonly fix: readonly string[];
}

/** The states of a request that AWS has not decided yet. */
const OPEN: ReadonlySet<string | undefined> = new Set(['PENDING', 'CASE_OPENED']);

/**
 * Returns the state of the last request to raise a quota. If none is open and the operator passed `--request-quota`,
 * requests an increase to `needed`. Throws a `CallError` if a call fails.
 */
export async function requestOf(quota: Quota, needed: number, world: World): Promise<QuotaRequest> {
  const { region, requestQuota, config } = world;
  const client = new ServiceQuotasClient({ ...CLIENT_SETTINGS, region });
  const names = { ServiceCode: quota.serviceCode, QuotaCode: quota.quotaCode };
  const last = await lastRequest(client, names);
  if (last && OPEN.has(last.Status)) return { text: `${described(last)}.`, fix: follow(last, region) };
  if (!requestQuota) {
    const text = last ? `${described(last)}.` : 'No increase was requested in the last 90 days.';
    return { text, fix: [`npm run preflight -- --stage ${config.stage} --request-quota`] };
  }
  const { RequestedQuota } = await call('servicequotas:RequestServiceQuotaIncrease', () =>
    client.send(new RequestServiceQuotaIncreaseCommand({ ...names, DesiredValue: needed })),
  );
  const made = RequestedQuota ?? { DesiredValue: needed, Status: 'PENDING' };
  return { text: `${described(made)}, by this preflight.`, fix: follow(made, region) };
}

/** Returns the latest request of the last 90 days. Service Quotas lists them in no documented order. */
async function lastRequest(
  client: ServiceQuotasClient,
  names: { readonly ServiceCode: string; readonly QuotaCode: string },
): Promise<RequestedServiceQuotaChange | undefined> {
  const requests: RequestedServiceQuotaChange[] = [];
  let NextToken: string | undefined;
  do {
    const command = new ListRequestedServiceQuotaChangeHistoryByQuotaCommand({ ...names, NextToken });
    const page = await call('servicequotas:ListRequestedServiceQuotaChangeHistoryByQuota', () =>
      client.send(command),
    );
    requests.push(...(page.RequestedQuotas ?? []));
    NextToken = page.NextToken;
  } while (NextToken);
  const createdMs = ({ Created }: RequestedServiceQuotaChange) => Created?.getTime() ?? 0;
  return requests.sort((one, other) => createdMs(other) - createdMs(one))[0];
}

function described({ DesiredValue, Status, Created }: RequestedServiceQuotaChange): string {
  const day = Created ? ` on ${Created.toISOString().slice(0, 10)}` : '';
  return `An increase to ${amount(DesiredValue ?? 0)} was requested${day} (${Status ?? 'PENDING'})`;
}

function follow({ Id }: RequestedServiceQuotaChange, region: string): string[] {
  const command = `aws service-quotas get-requested-service-quota-change --request-id ${Id ?? '<id>'} --region ${region}`;
  return ['# AWS decides on the request. To see its status, run:', command];
}
