import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { FunctionSpec } from '../../routes.ts';
import { reservedConcurrencyOf } from '../../stages/capacity.ts';
import { type Access, accessTo, type StageResources } from '../access/access.ts';
import { functionNameOf } from '../physical-names.ts';

/** Below the 29 s timeout of API Gateway, so that the function can still respond. */
const API_TIMEOUT_SECONDS = 28;

interface ServiceFunctionProps {
  readonly config: StageConfig;
  /** The directory of a bundle, whose `start.mjs` exports `handler`. */
  readonly bundle: string;
  readonly access: Access;
  /** @default 28 */
  readonly timeoutSeconds?: number | undefined;
  /** Whether the function invokes itself. */
  readonly continues?: boolean | undefined;
  /** Receives the events of an asynchronous function once all its attempts have failed. */
  readonly deadLetterQueue?: IQueue | undefined;
}

/** A Lambda function with the permissions of its profile and a log group whose entries expire. */
class ServiceFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { config, bundle, access, timeoutSeconds, deadLetterQueue } = props;
    const { operations } = config;
    // Retained when the stack is deleted: its entries are evidence until they expire.
    const logGroup = new LogGroup(scope, `${id}-log`, { retention: config.logRetentionDays });
    const statements = [
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
      // These actions of X-Ray have no resource-level permissions.
      ...(operations ? [allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*')] : []),
      ...(deadLetterQueue ? [allow(['sqs:SendMessage'], deadLetterQueue.queueArn)] : []),
      ...(props.continues ? [allow(['lambda:InvokeFunction'], ownArn(scope, config, id))] : []),
      ...access.statements,
    ];
    // The managed policy would allow writing to every log group of the account.
    const role = new Role(scope, `${id}-role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { access: new PolicyDocument({ statements }) },
    });
    const reserved = reservedConcurrencyOf(config)[id];
    super(scope, id, {
      functionName: functionNameOf(config.stage, id),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: config.functionMemoryMb,
      timeout: Duration.seconds(timeoutSeconds ?? API_TIMEOUT_SECONDS),
      handler: 'start.handler',
      code: Code.fromAsset(bundle, { exclude: ['*.map'] }),
      // A published version stays when the next one replaces it, so that operators can go back to it without a
      // deployment. A failed deployment removes the version that it published, because Lambda would refuse to publish
      // the same code again.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
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

export interface FunctionSources {
  readonly config: StageConfig;
  /** The directory of each function's bundle, by the function's name. */
  readonly bundles: ReadonlyMap<string, string>;
}

/** Adds a function to a stack, with its bundle and the permissions of its profile. */
export function serviceFunction(
  scope: Construct,
  spec: FunctionSpec & Pick<ServiceFunctionProps, 'deadLetterQueue'>,
  { config, bundles }: FunctionSources,
  resources: StageResources,
): ServiceFunction {
  const { name, access, timeoutSeconds, deadLetterQueue } = spec;
  const bundle = bundles.get(name);
  if (!bundle) throw new Error(`The function ${name} has no bundle.`);
  return new ServiceFunction(scope, name, {
    config,
    bundle,
    access: accessTo(resources, access),
    timeoutSeconds,
    continues: access.continues,
    deadLetterQueue,
  });
}

/** Returns the ARN of the function itself. A reference to it would be circular. */
function ownArn(scope: Construct, { stage }: StageConfig, id: string): string {
  return Stack.of(scope).formatArn({
    service: 'lambda',
    resource: 'function',
    resourceName: functionNameOf(stage, id),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

function allow(actions: string[], resource: string): PolicyStatement {
  return new PolicyStatement({ actions, resources: [resource] });
}
