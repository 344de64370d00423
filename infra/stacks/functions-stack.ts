import { Stack, type StackProps } from 'aws-cdk-lib';
import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { StageResources } from '../constructs/access/access.ts';
import { serviceFunction } from '../constructs/functions/service-function.ts';
import { Rollout } from '../constructs/rollout/rollout.ts';
import { versionCheckAccess } from '../constructs/rollout/version-check.ts';
import { INVOKED_BY_API, SANDBOX_REGISTRY, VERSION_CHECK } from '../routes.ts';
import type { DataStack } from './data-stack.ts';

interface FunctionsStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
  /** The directory of each function's bundle, by the function's name. */
  readonly bundles: ReadonlyMap<string, string>;
  /** Shifts all traffic at once in this deployment (docs/operate/new-versions.md, "Deploy without a rollout"). */
  readonly deployNow: boolean;
}

/**
 * The functions that the API invokes, their rollouts, and the sandbox registry that they call. The stack contains no
 * data, and refers to nothing in the API stack, which is deployed after it.
 */
export class FunctionsStack extends Stack {
  /** The sandbox registry, which the console of the stage `local` also calls. */
  readonly sandbox: NonNullable<StageResources['sandbox']>;

  constructor(scope: Construct, id: string, props: FunctionsStackProps) {
    super(scope, id, props);
    const { config, data, deployNow } = props;
    const { operations, stage } = config;
    const stored: StageResources = { config, tables: data.tables, secrets: data.secrets, key: data.key };

    const sandbox = serviceFunction(this, SANDBOX_REGISTRY, props, stored);
    // Requests must be signed by a role that may use the URL. The sandbox also requires the shared secret (contract
    // A9).
    const { url } = sandbox.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
    this.sandbox = { url, functionArn: sandbox.functionArn };
    const resources = {
      ...stored,
      sandbox: this.sandbox,
      versionCheck: versionCheckAccess(this, stage),
    };

    const versionCheck = operations?.rollout && serviceFunction(this, VERSION_CHECK, props, resources);
    const rollout =
      operations && new Rollout(this, 'Rollout', { ...config, ...operations, deployNow, versionCheck });
    for (const spec of INVOKED_BY_API) {
      const handler = serviceFunction(this, spec, props, resources);
      rollout?.addAlias(spec.name, handler);
    }
  }
}
