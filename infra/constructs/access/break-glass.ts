import { type CfnRule, EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type AlarmStage, runbookOf } from '../alarms/alarm.ts';
import { breakGlassRoleName } from '../physical-names.ts';

/**
 * Sends a message to the topic each time somebody assumes the role that may write tables directly. CloudTrail must
 * record the management events of the account.
 */
export function notifyOfBreakGlass(scope: Construct, config: AlarmStage, topic: ITopic): void {
  const role = breakGlassRoleName(config.stage);
  const [who, at] = ['userIdentity.arn', 'eventTime'].map((name) => EventField.fromPath(`$.detail.${name}`));
  const text = `${who} assumed the role ${role} at ${at}. Runbook: ${runbookOf(config, 'break-glass')}`;
  const rule = new Rule(scope, 'BreakGlass', {
    eventPattern: {
      source: ['aws.sts'],
      detailType: ['AWS API Call via CloudTrail'],
      detail: {
        eventName: ['AssumeRole'],
        requestParameters: { roleArn: [{ suffix: `:role/${role}` }] },
      },
    },
    targets: [new SnsTopic(topic, { message: RuleTargetInput.fromText(text) })],
  });
  // CloudTrail calls AssumeRole a read event, which rules receive only in this state.
  (rule.node.defaultChild as CfnRule).state = 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS';
}
