import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { Code, FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { type AccessibleThings, accessTo } from '../constructs/access.ts';
import { EnvelopeApi } from '../constructs/envelope-api.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import {
  type FunctionSpec,
  PREFIXES,
  ROUTES,
  SANDBOX_REGISTRY,
  SCHEDULES,
  UNKNOWN_ROUTE,
} from '../routes.ts';
import type { DataStack } from './data-stack.ts';

export interface ApiStackProps extends StackProps {
  readonly config: StageConfig;
  readonly data: DataStack;
  /** From a function's name to the directory of its bundle. */
  readonly bundles: ReadonlyMap<string, string>;
}

/** Everything that can be thrown away and deployed again: functions, the REST API before them, and schedules. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { config, data } = props;
    const things = { config, tables: data.tables, secrets: data.secrets };

    const sandbox = this.#function(SANDBOX_REGISTRY, props, things);
    // Open to the internet, and useless without the shared secret, which its code checks.
    const { url: sandboxUrl } = sandbox.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    const all = { ...things, sandboxUrl };

    const api = new EnvelopeApi(this, 'Api', config);
    for (const route of ROUTES) {
      const handler = this.#function(route, props, all);
      for (const prefix of PREFIXES) api.serve(route.method, prefix + route.path, handler);
    }
    api.serveRest(this.#function(UNKNOWN_ROUTE, props, all));

    for (const spec of SCHEDULES) {
      new Rule(this, `${spec.name}-schedule`, {
        schedule: Schedule.rate(Duration.minutes(spec.everyMinutes)),
        targets: [new FunctionTarget(this.#function(spec, props, all))],
      });
    }
  }

  #function(
    { name, access, timeoutSeconds }: FunctionSpec,
    { config, bundles }: ApiStackProps,
    things: AccessibleThings,
  ): ServiceFunction {
    const bundle = bundles.get(name);
    if (!bundle) throw new Error(`The function ${name} has no bundle.`);
    return new ServiceFunction(this, name, {
      config,
      code: Code.fromAsset(bundle, { exclude: ['*.map'] }),
      access: accessTo(things, access),
      timeoutSeconds,
    });
  }
}
