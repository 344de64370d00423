import { ArnFormat, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import type { FunctionSpec } from '../../routes.ts';
import { reservedConcurrencyOf } from '../../stages/capacity.ts';
import { type Access, accessTo, type StageResources } from '../access/access.ts';
import { functionNameOf, PUBLISHER } from '../physical-names.ts';

/** Below the 29 s of API Gateway, so that the function can still respond. */
const API_TIMEOUT_SECONDS = 28;

/** IAM limits the inline policies of a role to 10,240 characters, so a managed policy has the other statements. */
const MOST_INLINE = 30;

interface ServiceFunctionProps {
  readonly config: StageConfig;
  /** Its `start.mjs` exports `handler`. */
  readonly bundle: string;
  readonly access: Access;
  /** @default 28 */
  readonly timeoutSeconds?: number | undefined;
  /** Whether the function invokes itself. */
  readonly continues?: boolean | undefined;
  readonly startsPublisher?: boolean | undefined;
  /** For asynchronous events after all attempts. */
  readonly deadLetterQueue?: IQueue | undefined;
}

/** With the permissions of its profile, and logs that expire. */
class ServiceFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    const { config, bundle, access, timeoutSeconds, deadLetterQueue } = props;
    const { operations } = config;
    // Its entries are evidence until they expire.
    const logGroup = new LogGroup(scope, `${id}-log`, { retention: config.logRetentionDays });
    const statements = [
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
      // X-Ray has no resource-level permissions.
      ...(operations?.traces ? [allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*')] : []),
      ...(deadLetterQueue ? [allow(['sqs:SendMessage'], deadLetterQueue.queueArn)] : []),
      ...(props.continues ? [allow(['lambda:InvokeFunction'], functionArn(scope, config, id))] : []),
      ...(props.startsPublisher
        ? [allow(['lambda:InvokeFunction'], functionArn(scope, config, PUBLISHER))]
        : []),
      ...access.statements,
    ];
    // The managed policy allows writing to every log group.
    const role = new Role(scope, `${id}-role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { access: new PolicyDocument({ statements: statements.slice(0, MOST_INLINE) }) },
    });
    const others = statements.slice(MOST_INLINE);
    const more =
      others.length > 0 && new ManagedPolicy(scope, `${id}-policy`, { statements: others, roles: [role] });
    const reserved = reservedConcurrencyOf(config)[id];
    super(scope, id, {
      functionName: functionNameOf(config.stage, id),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: config.functionMemoryMb,
      timeout: Duration.seconds(timeoutSeconds ?? API_TIMEOUT_SECONDS),
      handler: 'start.handler',
      code: Code.fromAsset(bundle, { exclude: ['*.map'] }),
      // Operators can go back to a published version without a deployment. A failed deployment removes its
      // version, because Lambda would refuse to publish the same code again.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      // No other construct can add a permission.
      role: role.withoutPolicyUpdates(),
      logGroup,
      environment: { ...access.environment },
      // Explicit, because CloudFormation may leave a property that is removed as it was.
      ...(operations && { tracing: operations.traces ? Tracing.ACTIVE : Tracing.PASS_THROUGH }),
      ...(deadLetterQueue && { deadLetterQueue }),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    });
    // As with the inline policy, new code must not run before its permissions exist.
    if (more) this.node.addDependency(more);
  }
}

export interface FunctionSources {
  readonly config: StageConfig;
  /** By the function's name. */
  readonly bundles: ReadonlyMap<string, string>;
}

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
    startsPublisher: access.startsPublisher,
    deadLetterQueue,
  });
}

/** A reference to the function itself would be circular, and one to another stack would tie the two. */
function functionArn(scope: Construct, { stage }: StageConfig, id: string): string {
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
