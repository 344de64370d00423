import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IVersion, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ErrorCode } from '../../shared/core/errors.ts';
import type { OperationsConfig, Stage } from '../config.ts';
import { functionNameOf, METRICS_NAMESPACE, serviceName } from './physical-names.ts';

const STEPS = {
  canary: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  linear: LambdaDeploymentConfig.LINEAR_10PERCENT_EVERY_1MINUTE,
} as const satisfies Record<NonNullable<OperationsConfig['rollout']>, unknown>;

const MINUTE = Duration.minutes(1);

/** So many faults of one function in a minute, while its traffic moves, take the traffic back. */
const FAULTS_THAT_ROLL_BACK = 3;

/** Moves traffic to new versions of functions step by step, and back by itself when they fail. */
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

  /** What the API calls in the function's place: the version that CodeDeploy has moved it to. */
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
   * Crashes and timeouts, which Lambda counts; faults that were answered and wallets that were silent, which the
   * function counts: a version may have lost a right. A registry that is down must not take a good version back.
   */
  #faultAlarm(name: string): Alarm {
    const crashes = new Metric({
      namespace: 'AWS/Lambda',
      metricName: 'Errors',
      dimensionsMap: { FunctionName: functionNameOf(this.#stage, name) },
      statistic: 'Sum',
      period: MINUTE,
    });
    const faults = this.#counted('faults', name, 'SERVER_ERROR');
    const silent = this.#counted('unavailableWallets', name, 'SERVICE_UNAVAILABLE');
    return new Alarm(this, `${name}-faults`, {
      alarmName: `identity-${this.#stage}-rollback-${name}`,
      alarmDescription: `Takes a rollout of ${name} back. Runbook: docs/operations.md#rollback`,
      metric: new MathExpression({
        expression: 'FILL(crashes, 0) + FILL(faults, 0) + FILL(silent, 0)',
        usingMetrics: { crashes, faults, silent },
        period: MINUTE,
        label: `faults of ${name}`,
      }),
      threshold: FAULTS_THAT_ROLL_BACK,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
  /** What one route of this stage counts under one code. */
  #counted(metricName: string, route: string, code: ErrorCode): Metric {
    const dimensionsMap = { service: serviceName(this.#stage), route, code };
    const namespace = METRICS_NAMESPACE;
    return new Metric({ namespace, metricName, dimensionsMap, statistic: 'Sum', period: MINUTE });
  }
}
