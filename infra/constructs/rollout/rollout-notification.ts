import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type AlarmStage, runbookOf } from '../alarms/alarm.ts';
import { rolloutName } from '../physical-names.ts';

/** Sends a message to the topic for each rollout that failed or was stopped, even if an alarm stopped it. */
export function notifyOfFailedRollouts(scope: Construct, config: AlarmStage, topic: ITopic): void {
  const [state, group, id] = ['state', 'deploymentGroup', 'deploymentId'].map((name) =>
    EventField.fromPath(`$.detail.${name}`),
  );
  const text = `The rollout ${id} of ${group} ended with ${state}. Runbook: ${runbookOf(config, 'rollback')}`;
  new Rule(scope, 'FailedRollouts', {
    eventPattern: {
      source: ['aws.codedeploy'],
      detailType: ['CodeDeploy Deployment State-change Notification'],
      detail: { application: [rolloutName(config.stage)], state: ['FAILURE', 'STOP'] },
    },
    targets: [new SnsTopic(topic, { message: RuleTargetInput.fromText(text) })],
  });
}
