import { ArnFormat, CfnOutput, Stack } from 'aws-cdk-lib';
import type { AlarmBase } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Stage } from '../../config.ts';

/** Receives alarms of its region and sends them to an address. The stack has its ARN as an output. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, name: 'Alarm' | 'Ticket', stage: Stage, email: string | undefined) {
    super(scope, `${name}s`, { enforceSSL: true });
    this.addToResourcePolicy(this.#alarmsMayPublish(stage));
    if (email) this.addSubscription(new EmailSubscription(email));
    new CfnOutput(scope, `${name}Topic`, { value: this.topicArn });
  }

  /** When it fires, and when it clears. */
  receive(alarm: AlarmBase): void {
    const action = new SnsAction(this);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }

  /**
   * Returns the statement that lets alarms publish. The default policy permits this, but `enforceSSL` adds a topic
   * policy that replaces it.
   */
  #alarmsMayPublish(stage: Stage): PolicyStatement {
    const stack = Stack.of(this);
    const alarms = { service: 'cloudwatch', resource: 'alarm', resourceName: `identity-${stage}-*` };
    const sourceArn = stack.formatArn({ ...alarms, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
    return new PolicyStatement({
      sid: 'AlarmsOfTheStage',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [this.topicArn],
      conditions: {
        ArnLike: { 'aws:SourceArn': sourceArn },
        StringEquals: { 'aws:SourceAccount': stack.account },
      },
    });
  }
}
