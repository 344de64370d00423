import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

interface ApiFirewallProps {
  /** Names the firewall in its metrics. */
  readonly title: string;
  readonly requestsPerAddressPerMinute: number;
  readonly apiStageArn: string;
}

/**
 * Blocks addresses that flood an API, with 429 (gateway response WAF_FILTERED). Stores no sampled requests, which would
 * contain slip tokens and API keys.
 */
export class ApiFirewall extends Construct {
  constructor(scope: Construct, id: string, props: ApiFirewallProps) {
    super(scope, id);
    const { title, requestsPerAddressPerMinute, apiStageArn } = props;
    const visibility = { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
    const acl = new CfnWebACL(this, 'Rules', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: { ...visibility, metricName: title },
      rules: [
        {
          name: 'requests-per-address',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              // The shortest of AWS WAF: with a longer one, the requests of several minutes could come in
              // one.
              evaluationWindowSec: 60,
              limit: requestsPerAddressPerMinute,
            },
          },
          visibilityConfig: { ...visibility, metricName: `${title}-requests-per-address` },
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: apiStageArn, webAclArn: acl.attrArn });
  }
}
