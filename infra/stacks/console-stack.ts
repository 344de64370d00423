import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { CONSOLE_API, consoleRouteOf } from '../../shared/http/console/routes.ts';
import type { ConsoleConfig, StageConfig } from '../config.ts';
import {
  CONSOLE_ALERTS,
  CONSOLE_FUNCTIONS,
  CONSOLE_SITE,
  DELIVER_WEBHOOK,
  START_WEBHOOKS,
} from '../console-routes.ts';
import type { StageResources } from '../constructs/access/access.ts';
import type { ServedRoute } from '../constructs/api/api-body.ts';
import { ApiFirewall } from '../constructs/api/api-firewall.ts';
import { stageLimits } from '../constructs/api/api-limits.ts';
import { EnvelopeApi } from '../constructs/api/envelope-api.ts';
import { consoleGatewayResponses } from '../constructs/api/gateway-responses.ts';
import {
  consoleFirewall,
  consoleLimits,
  SIGN_IN_PATHS,
  SITE_METHODS,
  SITE_PATHS,
} from '../constructs/console/console-limits.ts';
import { SignIn } from '../constructs/console/sign-in.ts';
import { addEventFunction } from '../constructs/functions/event-function.ts';
import { addConsoleSchedules } from '../constructs/functions/scheduled-functions.ts';
import { serviceFunction } from '../constructs/functions/service-function.ts';
import { deliverWebhooks } from '../constructs/functions/webhook-queue.ts';
import { consoleName } from '../constructs/physical-names.ts';
import type { DataStack } from './data-stack.ts';
import type { WebhookStack } from './webhook-stack.ts';

export interface ConsoleStackProps extends StackProps {
  readonly config: StageConfig;
  readonly console: ConsoleConfig;
  readonly data: DataStack;
  readonly webhooks: WebhookStack;
  /** The directory of each function's bundle, by the function's name. */
  readonly bundles: ReadonlyMap<string, string>;
  /** Only in the stage `local`, where the sandbox also serves the look-ups of live keys. */
  readonly sandbox: StageResources['sandbox'];
}

/**
 * The account console: its functions, pages, REST API and sign-in. It contains no data and can be deleted and deployed
 * again. All functions change at once, because pages may call only functions of their own version.
 */
export class ConsoleStack extends Stack {
  readonly restApi: EnvelopeApi;

  constructor(scope: Construct, id: string, props: ConsoleStackProps) {
    super(scope, id, props);
    const { config, console, data, webhooks, sandbox } = props;
    const signIn = new SignIn(this, 'SignIn', { userPool: data.userPool, console });
    const resources: StageResources = {
      config,
      tables: data.tables,
      secrets: data.secrets,
      key: data.key,
      webhookQueue: webhooks.queue,
      sandbox,
      console: {
        userPool: membersOf(data.userPool),
        clientId: signIn.clientId,
      },
    };
    const routes = CONSOLE_FUNCTIONS.map((spec): ServedRoute => {
      const { method, path } = consoleRouteOf(spec.route);
      const handler = serviceFunction(this, spec, props, resources);
      return { method, path: CONSOLE_API + path, handler };
    });
    for (const spec of [CONSOLE_ALERTS, START_WEBHOOKS]) addEventFunction(this, spec, props, resources);
    addConsoleSchedules(this, props, resources);
    deliverWebhooks(serviceFunction(this, DELIVER_WEBHOOK, props, resources), webhooks.queue, config);
    const site = serviceFunction(this, CONSOLE_SITE, props, resources);
    const pages = SITE_PATHS.flatMap((path) =>
      SITE_METHODS.map((method): ServedRoute => ({ method, path, handler: site })),
    );
    this.restApi = new EnvelopeApi(this, 'Console', {
      config,
      title: consoleName(config.stage),
      addresses: console.domain ? { domain: console.domain, generatedUrl: 'closed' } : {},
      output: 'ConsoleUrl',
      setsLogRole: false,
      limits: stageLimits(consoleLimits(config)),
      gatewayResponses: consoleGatewayResponses(),
      routes: [...routes, ...pages],
      fallback: site,
    });
    const firewall = config.operations?.firewall;
    if (firewall)
      new ApiFirewall(this, 'Firewall', {
        title: consoleName(config.stage),
        apiStageArn: this.restApi.deploymentStage.stageArn,
        openPaths: SIGN_IN_PATHS,
        ...consoleFirewall(firewall),
      });
  }
}

/** Returns the ID, ARN and issuer of the user pool that members sign in to. */
function membersOf(userPool: DataStack['userPool']) {
  return { id: userPool.userPoolId, arn: userPool.userPoolArn, issuer: userPool.userPoolProviderUrl };
}
