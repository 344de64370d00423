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

/** Below the 29 s timeout of API Gateway, so that the function can still respond. */
const API_TIMEOUT_SECONDS = 28;

export interface ServiceFunctionProps {
  readonly config: StageConfig;
  /** A bundle whose `index` exports `handler`. */
  readonly code: Code;
  readonly access: Access;
  /** @default 28 */
  readonly timeoutSeconds?: number | undefined;
  /** Receives the events of an asynchronous function once all its attempts have failed. */
  readonly deadLetterQueue?: IQueue | undefined;
}

/** A Lambda function with the permissions of its profile and a log group whose entries expire. */
export class ServiceFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { config, code, access, timeoutSeconds, deadLetterQueue } = props;
    const { operations } = config;
    // Retained when the stack is deleted: entries expire by themselves and are evidence until then.
    const logGroup = new LogGroup(scope, `${id}-log`, { retention: config.logRetentionDays });
    const statements = [
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
      // X-Ray has no resource-level permissions.
      ...(operations ? [allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*')] : []),
      ...(deadLetterQueue ? [allow(['sqs:SendMessage'], deadLetterQueue.queueArn)] : []),
      ...access.statements,
    ];
    // The managed policy would allow writing to every log group of the account.
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
      // All permissions are listed above. No other construct can add one.
      role: role.withoutPolicyUpdates(),
      logGroup,
      environment: { ...access.environment },
      ...(operations && { tracing: Tracing.ACTIVE }),
      ...(deadLetterQueue && { deadLetterQueue }),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    });
  }
}

function allow(actions: string[], resource: string): PolicyStatement {
  return new PolicyStatement({ actions, resources: [resource] });
}
