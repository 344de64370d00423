import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  type CfnAlias,
  type IFunction,
  type IVersion,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { OperationsConfig } from '../../config.ts';
import type { AlarmStage } from '../alarms/alarm.ts';
import { LIVE_ALIAS, rolloutName } from '../physical-names.ts';
import { deploymentRole } from './deployment-role.ts';
import { addRollbackAlarm } from './rollback-alarm.ts';

const STEPS = {
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  linear: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
} as const satisfies Record<NonNullable<OperationsConfig['rollout']>, unknown>;

const FUNCTIONS_PER_ROLE = 4;

interface RolloutProps extends AlarmStage {
  /** @default all at once, without rollback */
  readonly rollout?: OperationsConfig['rollout'];
  /** Whatever the rollout setting. Keeps what later rollouts need. */
  readonly deployNow: boolean;
  /** Undefined only if there is no rollout. */
  readonly versionCheck?: IFunction | undefined;
}

/**
 * Every stage on AWS has the aliases, so that a change to the rollout setting does not remove what the API invokes.
 */
export class Rollout extends Construct {
  readonly #props: RolloutProps;
  readonly #application: LambdaApplication | undefined;
  readonly #roles: IRole[] = [];
  #groups = 0;

  constructor(scope: Construct, id: string, props: RolloutProps) {
    super(scope, id);
    this.#props = props;
    if (props.rollout)
      this.#application = new LambdaApplication(this, 'Application', {
        applicationName: rolloutName(props.stage),
      });
  }

  addAlias(name: string, handler: LambdaFunction): void {
    const version = handler.currentVersion as IVersion;
    const alias = new Alias(this, `${name}-alias`, { aliasName: LIVE_ALIAS, version });
    this.#shiftInSteps(name, alias, version);
  }

  /** Without a rollout, CloudFormation moves the alias directly. */
  #shiftInSteps(name: string, alias: Alias, { version }: IVersion): void {
    const { rollout, deployNow, versionCheck } = this.#props;
    if (!rollout || !this.#application || !versionCheck) return;
    const alarm = addRollbackAlarm(this, this.#props, { name, version });
    const group = new LambdaDeploymentGroup(this, `${name}-deployment`, {
      application: this.#application,
      role: this.#nextRole(versionCheck),
      alias,
      deploymentConfig: STEPS[rollout],
      alarms: [alarm],
      preHook: versionCheck,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    // References in the update policy do not make the alias wait.
    alias.node.addDependency(group, alarm, versionCheck);
    if (deployNow) (alias.node.defaultChild as CfnAlias).addDeletionOverride('UpdatePolicy');
  }

  #nextRole(versionCheck: IFunction): IRole {
    const at = Math.floor(this.#groups / FUNCTIONS_PER_ROLE);
    this.#groups += 1;
    const role = this.#roles[at] ?? deploymentRole(this, `role-${at + 1}`, versionCheck);
    this.#roles[at] = role;
    return role;
  }
}
