import { Duration } from 'aws-cdk-lib';
import { type Alarm, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IVersion, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ErrorCode } from '../../shared/core/errors.ts';
import type { OperationsConfig, Stage } from '../config.ts';
import { addAlarm } from './alarm.ts';
import { serviceName } from './physical-names.ts';
import { ServiceMetrics } from './service-metrics.ts';

const STEPS = {
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  linear: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
} as const satisfies Record<NonNullable<OperationsConfig['rollout']>, unknown>;

const MINUTE = Duration.minutes(1);

/** The faults of one function within a minute that a rollout tolerates. One more rolls it back. */
const TOLERATED_FAULTS = 2;

/** Shifts traffic to new versions of functions in steps, and rolls back automatically if a version fails. */
export class Rollout extends Construct {
  readonly #application: LambdaApplication;
  readonly #role: Role;
  readonly #step: (typeof STEPS)[keyof typeof STEPS];
  readonly #stage: Stage;

  constructor(scope: Construct, id: string, stage: Stage, rollout: keyof typeof STEPS) {
    super(scope, id);
    this.#stage = stage;
    this.#step = STEPS[rollout];
    this.#application = new LambdaApplication(this, 'Application', { applicationName: serviceName(stage) });
    this.#role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
      ],
    });
  }

  /** Returns the alias that the API invokes instead of the function. CodeDeploy chooses its version. */
  aliasOf(name: string, handler: LambdaFunction): Alias {
    const alias = new Alias(this, `${name}-alias`, {
      aliasName: 'live',
      version: handler.currentVersion as IVersion,
    });
    new LambdaDeploymentGroup(this, `${name}-deployment`, {
      application: this.#application,
      role: this.#role,
      alias,
      deploymentConfig: this.#step,
      alarms: [this.#faultAlarm(name)],
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    return alias;
  }

  /**
   * Counts crashes, timeouts, responses 500, unavailable wallets and unconfirmed charges, since a new version may have
   * lost a permission.
   * Failures of a registry do not count, so that an outage of a provider does not roll back a good version.
   */
  #faultAlarm(name: string): Alarm {
    const metrics = new ServiceMetrics(this.#stage);
    const counted = (metricName: string, code: ErrorCode) =>
      metrics.own(metricName, 'Sum', MINUTE, { route: name, code });
    return addAlarm(this, this.#stage, {
      name: `rollback-${name}`,
      description: `Some customers receive 5xx responses from ${name}. During a rollout, CodeDeploy shifts traffic back to the old version.`,
      metric: new MathExpression({
        expression: 'FILL(crashes, 0) + FILL(faults, 0) + FILL(unavailable, 0) + FILL(unconfirmed, 0)',
        usingMetrics: {
          crashes: metrics.ofFunction(name, 'Errors', 'Sum', MINUTE),
          faults: counted('faults', 'SERVER_ERROR'),
          unavailable: counted('unavailableWallets', 'SERVICE_UNAVAILABLE'),
          unconfirmed: counted('unconfirmedCharges', 'OUTCOME_UNKNOWN'),
        },
        period: MINUTE,
        label: `faults of ${name}`,
      }),
      threshold: TOLERATED_FAULTS,
      section: 'rollback',
    });
  }
}
