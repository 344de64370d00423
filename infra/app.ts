import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { bundle } from './bundle/bundle.ts';
import type { StageConfig } from './config.ts';
import { FUNCTION_NAMES } from './routes.ts';
import { addSlipTheme } from './slip-theme.ts';
import { AccessStack } from './stacks/access-stack.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { OperationsStack } from './stacks/operations-stack.ts';
import { checkConfig } from './stages/check-config.ts';
import { readConfig } from './stages/read-config.ts';

export interface AppOptions extends AppProps {
  /** Settings that replace those of the stage. @default none */
  readonly changes?: Partial<StageConfig>;
  /** The directory of each function's bundle, by the function's name. @default bundles all functions */
  readonly bundles?: ReadonlyMap<string, string>;
}

/**
 * The service of one stage: a data stack, an API stack, and on AWS an operations stack and an access stack.
 * Context: `stage` (default dev), `region` (default that of the AWS profile), `publicBaseUrl`.
 * Throws if a setting is invalid.
 */
export function buildApp({ changes, bundles: given, ...props }: AppOptions = {}): App {
  const app = new App(props);
  const config = { ...readConfig(app.node), ...changes };
  checkConfig(config);
  const bundles = given ?? bundleFunctions(app.outdir);
  const slipBundle = bundles.get('nin-slip');
  if (config.slipTheme && slipBundle) addSlipTheme(slipBundle, config.slipTheme);

  // Without an AWS profile both are undefined, and the templates fit any account and region.
  const account = process.env['CDK_DEFAULT_ACCOUNT'];
  const region: string | undefined = app.node.tryGetContext('region') ?? process.env['CDK_DEFAULT_REGION'];
  const env = { ...(account && { account }), ...(region && { region }) };
  const tags = { service: 'identity-verification', stage: config.stage };

  const { restoredTables, customerManagedKey, secondPerson } = config;
  const data = new DataStack(app, `identity-${config.stage}-data`, {
    env,
    tags,
    restoredTables,
    customerManagedKey,
    secondPerson,
  });
  const api = new ApiStack(app, `identity-${config.stage}-api`, { env, tags, config, data, bundles });
  if (config.operations) {
    const id = `identity-${config.stage}-operations`;
    const operations = new OperationsStack(app, id, { env, tags, config, data });
    // Some alarms fire without data, so the schedules that write it must exist first.
    operations.addStackDependency(api);
    new AccessStack(app, `identity-${config.stage}-access`, { env, tags, config, data });
  }
  return app;
}

function bundleFunctions(outputDirectory: string): ReadonlyMap<string, string> {
  const sources = Object.fromEntries(FUNCTION_NAMES.map((name) => [name, `functions/${name}.ts`]));
  return bundle(sources, join(outputDirectory, 'bundles')).directories;
}

if (import.meta.main) buildApp().synth();
