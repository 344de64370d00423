import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Stage } from '../config.ts';
import { serviceName } from './physical-names.ts';

export interface ApiFirewallProps {
  readonly stage: Stage;
  /** What one address may send in 5 minutes. */
  readonly requestsPerAddress: number;
  /** Of the stage of the REST API. */
  readonly apiStageArn: string;
}

/**
 * Stops an address that floods the API before anything of ours runs. API Gateway answers it 429 in the envelope
 * (gateway response WAF_FILTERED). It reads no bodies, and samples no requests, which hold identity numbers.
 */
export class ApiFirewall extends Construct {
  constructor(scope: Construct, id: string, { stage, requestsPerAddress, apiStageArn }: ApiFirewallProps) {
    super(scope, id);
    const visibility = { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
    const acl = new CfnWebACL(this, 'Rules', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: { ...visibility, metricName: serviceName(stage) },
      rules: [
        {
          name: 'requests-per-address',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              evaluationWindowSec: 300,
              limit: requestsPerAddress,
            },
          },
          visibilityConfig: { ...visibility, metricName: `${serviceName(stage)}-requests-per-address` },
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Place', { resourceArn: apiStageArn, webAclArn: acl.attrArn });
  }
}
