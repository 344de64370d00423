import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { bundle } from './bundle/bundle.ts';
import type { StageConfig } from './config.ts';
import { FUNCTION_NAMES } from './routes.ts';
import { addSlipTheme } from './slip-theme.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { OperationsStack } from './stacks/operations-stack.ts';
import { checkConfig, refuseSandbox } from './stages/check-config.ts';
import { readConfig } from './stages/read-config.ts';

export interface AppOptions extends AppProps {
  /** Settings in place of the stage's own. @default none */
  readonly changes?: Partial<StageConfig>;
  /** From a function's name to the directory of its bundle. @default bundled afresh */
  readonly bundles?: ReadonlyMap<string, string>;
}

/**
 * The service of one stage: a stack to keep, a stack that can be deployed afresh at any time, and on AWS a stack that
 * watches both.
 * Context: `stage` (default dev), `region` (default that of the AWS profile), `publicBaseUrl`.
 * Throws where a setting cannot work, with its name, and where the stage would sell the sandbox's records (decision A9).
 */
export function buildApp({ changes, bundles: ready, ...props }: AppOptions = {}): App {
  const app = new App(props);
  const config = { ...readConfig(app.node), ...changes };
  checkConfig(config);
  refuseSandbox(config);
  const bundles = ready ?? bundleFunctions(app.outdir);
  const slipBundle = bundles.get('nin-slip');
  if (config.slipTheme && slipBundle) addSlipTheme(slipBundle, config.slipTheme);

  // Without an AWS profile both are undefined, and the stacks fit any account and region.
  const account = process.env['CDK_DEFAULT_ACCOUNT'];
  const region: string | undefined = app.node.tryGetContext('region') ?? process.env['CDK_DEFAULT_REGION'];
  const env = { ...(account && { account }), ...(region && { region }) };
  const tags = { service: 'identity-verification', stage: config.stage };

  const data = new DataStack(app, `identity-${config.stage}-data`, {
    ...{ env, tags, restoredTables: config.restoredTables },
  });
  const api = new ApiStack(app, `identity-${config.stage}-api`, { env, tags, config, data, bundles });
  if (config.operations) {
    const operations = new OperationsStack(app, `identity-${config.stage}-operations`, {
      ...{ env, tags, config, data },
    });
    // Alarms that miss the schedules' word would ring until there are schedules.
    operations.addStackDependency(api);
  }
  return app;
}

function bundleFunctions(outputDirectory: string): ReadonlyMap<string, string> {
  const sources = Object.fromEntries(FUNCTION_NAMES.map((name) => [name, `functions/${name}.ts`]));
  return bundle(sources, join(outputDirectory, 'bundles')).directories;
}

if (import.meta.main) buildApp().synth();
