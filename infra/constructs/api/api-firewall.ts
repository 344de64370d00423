import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

interface ApiFirewallProps {
  /** Names the firewall in its metrics. */
  readonly title: string;
  readonly requestsPerAddressPerMinute: number;
  /** Paths that anyone may call, without the stage or version before them and the parameters after them. */
  readonly openPaths: readonly string[];
  /** The ARN of the REST API's deployment stage. */
  readonly apiStageArn: string;
}

/**
 * The number of requests that one IP address may send in a minute to all open paths together: at most a fifth of what
 * any of them accepts from all addresses. People who check slips may share the address of their mobile network.
 */
export const OPEN_PER_ADDRESS_PER_MINUTE = 60;

/**
 * Blocks IP addresses that flood a REST API, before any function runs. API Gateway responds with 429 in the envelope
 * (gateway response WAF_FILTERED). The firewall stores no sampled requests, which would contain paths and headers, and
 * thus slip tokens and API keys. It costs $5 a month, and each rule $1.
 */
export class ApiFirewall extends Construct {
  constructor(scope: Construct, id: string, props: ApiFirewallProps) {
    super(scope, id);
    const { title, requestsPerAddressPerMinute: limit, openPaths, apiStageArn } = props;
    const openLimit = Math.min(OPEN_PER_ADDRESS_PER_MINUTE, limit);
    const acl = new CfnWebACL(this, 'Rules', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(title),
      rules: [
        limitRule(title, 0, 'requests-per-address', { limit }),
        limitRule(title, 1, 'open-requests-per-address', {
          limit: openLimit,
          scopeDownStatement: pathsMatch(openPaths),
        }),
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { resourceArn: apiStageArn, webAclArn: acl.attrArn });
  }
}

const visibility = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

function limitRule(
  title: string,
  priority: number,
  name: string,
  limited: Pick<CfnWebACL.RateBasedStatementProperty, 'limit' | 'scopeDownStatement'>,
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: {} },
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'IP',
        // The shortest window of AWS WAF. With a longer one, an address could send the requests of several minutes
        // within one minute.
        evaluationWindowSec: 60,
        ...limited,
      },
    },
    visibilityConfig: visibility(`${title}-${name}`),
  };
}

/** The maximum length of an expression (AWS WAF Developer Guide, "AWS WAF quotas"). */
const MOST_CHARACTERS = 200;

function pathsMatch(paths: readonly string[]): CfnWebACL.StatementProperty {
  const regexString = `(${paths.map((path) => path.replaceAll('.', '\\.')).join('|')})(/|$)`;
  if (regexString.length > MOST_CHARACTERS) throw new Error(`AWS WAF does not accept ${regexString}.`);
  const textTransformations = [{ priority: 0, type: 'URL_DECODE' }];
  return { regexMatchStatement: { regexString, fieldToMatch: { uriPath: {} }, textTransformations } };
}
