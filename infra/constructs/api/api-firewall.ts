import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

interface ApiFirewallProps {
  /** Names the firewall in its metrics. */
  readonly title: string;
  /** The number of requests that one IP address may send in a minute. */
  readonly requestsPerAddressPerMinute: number;
  /** The ARN of the REST API's deployment stage. */
  readonly apiStageArn: string;
}

/**
 * Blocks IP addresses that flood a REST API, before any function runs. API Gateway responds with 429 in the envelope
 * (gateway response WAF_FILTERED). The firewall stores no sampled requests, which would contain paths and headers, and
 * thus slip tokens and API keys.
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
              // The shortest window of AWS WAF. With a longer one, an address could send the requests of several
              // minutes within one minute.
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
