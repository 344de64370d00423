import { type CfnRule, EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Stage } from '../../config.ts';
import { breakGlassRoleName } from '../physical-names.ts';

/**
 * Sends a message to the topic each time somebody assumes the role that may write tables directly. CloudTrail must
 * record the management events of the account.
 */
export function notifyOfBreakGlass(scope: Construct, stage: Stage, topic: ITopic): void {
  const [who, at] = ['userIdentity.arn', 'eventTime'].map((name) => EventField.fromPath(`$.detail.${name}`));
  const text = `${who} assumed the role ${breakGlassRoleName(stage)} at ${at}. Runbook: docs/operate/operations.md#break-glass`;
  const rule = new Rule(scope, 'BreakGlass', {
    eventPattern: {
      source: ['aws.sts'],
      detailType: ['AWS API Call via CloudTrail'],
      detail: {
        eventName: ['AssumeRole'],
        requestParameters: { roleArn: [{ suffix: `:role/${breakGlassRoleName(stage)}` }] },
      },
    },
    targets: [new SnsTopic(topic, { message: RuleTargetInput.fromText(text) })],
  });
  // CloudTrail calls AssumeRole a read event, which rules receive only in this state.
  (rule.node.defaultChild as CfnRule).state = 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS';
}
