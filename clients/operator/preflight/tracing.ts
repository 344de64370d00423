import { GetIndexingRulesCommand, GetTraceSegmentDestinationCommand, XRayClient } from '@aws-sdk/client-xray';
import { CLIENT_SETTINGS, call } from './aws-call.ts';
import { fault, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

/**
 * Checks that every trace of the functions can be found. An account-wide setting (Transaction Search) sends segments to
 * CloudWatch Logs instead of X-Ray, which then indexes 1% of them unless a rule says otherwise (CloudWatch User Guide,
 * "Enable transaction search"). The searches in docs/operations.md, "Tracing", find only what is indexed.
 */
export async function checkTracing({ region }: World): Promise<Row[]> {
  const check = 'tracing';
  const client = new XRayClient({ ...CLIENT_SETTINGS, region });
  const { Destination } = await call('xray:GetTraceSegmentDestination', () =>
    client.send(new GetTraceSegmentDestinationCommand()),
  );
  if (Destination !== 'CloudWatchLogs')
    return [ok(check, 'X-Ray stores and indexes all traces that Lambda samples.')];
  const { IndexingRules = [] } = await call('xray:GetIndexingRules', () =>
    client.send(new GetIndexingRulesCommand()),
  );
  const rule = IndexingRules.find(({ Name }) => Name === 'Default')?.Rule;
  const percentage = rule?.Probabilistic?.DesiredSamplingPercentage ?? 0;
  if (percentage >= 100)
    return [ok(check, 'Traces are stored in CloudWatch Logs (Transaction Search), and all are indexed.')];
  return [
    fault(
      check,
      `Transaction Search is on in ${region}, and X-Ray indexes ${percentage}% of the traces. A search by request ID would miss the others.`,
      `aws xray update-indexing-rule --name Default --rule 'Probabilistic={DesiredSamplingPercentage=100}' --region ${region}`,
      '# Or, if no other application of the account needs Transaction Search:',
      `aws xray update-trace-segment-destination --destination XRay --region ${region}`,
    ),
  ];
}
