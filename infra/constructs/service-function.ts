import { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { Access } from './access.ts';

/** API Gateway gives up after 29 s; the function's own last word must come before. */
const API_TIMEOUT_SECONDS = 28;

export interface ServiceFunctionProps {
  readonly config: StageConfig;
  /** A bundle whose `index` exports `handler`. */
  readonly code: Code;
  readonly access: Access;
  /** @default 28 */
  readonly timeoutSeconds?: number | undefined;
}

/** A Lambda function of this service: one bundle, the rights of its profile, and a log group that forgets. */
export class ServiceFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, { config, code, access, timeoutSeconds }: ServiceFunctionProps) {
    // Kept when the stack goes: their lines expire by themselves, and are evidence until then.
    const logGroup = new LogGroup(scope, `${id}-log`, { retention: config.logRetentionDays });
    const writeLog = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logGroup.logGroupArn],
    });
    // A role of its own in place of the managed policy, which could write to every log group of the account.
    const role = new Role(scope, `${id}-role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { access: new PolicyDocument({ statements: [writeLog, ...access.statements] }) },
    });
    super(scope, id, {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: config.functionMemoryMb,
      timeout: Duration.seconds(timeoutSeconds ?? API_TIMEOUT_SECONDS),
      handler: 'index.handler',
      code,
      role,
      logGroup,
      environment: { ...access.environment },
    });
  }
}
