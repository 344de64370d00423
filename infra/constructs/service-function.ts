import { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { Access } from './access.ts';
import { functionNameOf } from './physical-names.ts';

/** API Gateway gives up after 29 s; the function's own last word must come before. */
const API_TIMEOUT_SECONDS = 28;

export interface ServiceFunctionProps {
  readonly config: StageConfig;
  /** A bundle whose `index` exports `handler`. */
  readonly code: Code;
  readonly access: Access;
  /** @default 28 */
  readonly timeoutSeconds?: number | undefined;
  /** Takes the events of a function that nobody waits for, once its tries are used up. */
  readonly failures?: IQueue | undefined;
}

/** A Lambda function of this service: one bundle, the rights of its profile, and a log group that forgets. */
export class ServiceFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { config, code, access, timeoutSeconds, failures } = props;
    const { operations } = config;
    // Kept when the stack goes: their lines expire by themselves, and are evidence until then.
    const logGroup = new LogGroup(scope, `${id}-log`, { retention: config.logRetentionDays });
    const statements = [
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
      // X-Ray knows no resources.
      ...(operations ? [allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*')] : []),
      ...(failures ? [allow(['sqs:SendMessage'], failures.queueArn)] : []),
      ...access.statements,
    ];
    // A role of its own in place of the managed policy, which could write to every log group of the account.
    const role = new Role(scope, `${id}-role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { access: new PolicyDocument({ statements }) },
    });
    const reserved = operations?.reservedConcurrency?.[id];
    super(scope, id, {
      functionName: functionNameOf(config.stage, id),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: config.functionMemoryMb,
      timeout: Duration.seconds(timeoutSeconds ?? API_TIMEOUT_SECONDS),
      handler: 'index.handler',
      code,
      // What it may do stands above, in one place: no construct adds to it.
      role: role.withoutPolicyUpdates(),
      logGroup,
      environment: { ...access.environment },
      ...(operations && { tracing: Tracing.ACTIVE }),
      ...(failures && { deadLetterQueue: failures }),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    });
  }
}

function allow(actions: string[], resource: string): PolicyStatement {
  return new PolicyStatement({ actions, resources: [resource] });
}
