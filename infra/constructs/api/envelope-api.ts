import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
import {
  ApiDefinition,
  EndpointType,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApiMode,
  SpecRestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { StageConfig } from '../../config.ts';
import { AccessLog } from './access-log.ts';
import { apiBody, BINARY_MEDIA_TYPES, type ServedRoute } from './api-body.ts';
import { type ApiAddresses, type ApiDomain, addDomains } from './api-domain.ts';
import type { StageLimits } from './api-limits.ts';

interface EnvelopeApiProps {
  readonly config: StageConfig;
  /** Also of its metrics. */
  readonly title: string;
  readonly addresses: ApiAddresses;
  /** Has the address. */
  readonly output: string;
  readonly limits: StageLimits;
  /** API Gateway uses this role of the account to write logs. */
  readonly setsLogRole: boolean;
  /** By type. */
  readonly gatewayResponses: object;
  readonly routes: readonly ServedRoute[];
  /** Serves all other methods and paths. @default API Gateway responds */
  readonly fallback?: IFunction;
  /** @default every caller is served */
  readonly authorisation?: 'iam';
}

/** A REST API without CORS, whose log contains no request contents. */
export class EnvelopeApi extends SpecRestApi {
  /** Also the previous ones that are still open. */
  readonly domains: readonly ApiDomain[];

  constructor(scope: Construct, id: string, props: EnvelopeApiProps) {
    const { config, title, addresses, limits, routes, fallback } = props;
    // Once the generated URL is closed, callers cannot use it to bypass what is in front of the domain, such as a CDN.
    const disableExecuteApiEndpoint = addresses.generatedUrl === 'closed';
    const accessLog = new AccessLog(scope, `${id}-access-log`, config, title);
    super(scope, id, {
      restApiName: title,
      apiDefinition: ApiDefinition.fromInline(apiBody({ ...props, disableExecuteApiEndpoint })),
      // Otherwise, an update would merge the body into the API and could keep a route that was removed.
      mode: RestApiMode.OVERWRITE,
      // The body contains these two settings too, because an update reads them from there.
      binaryMediaTypes: BINARY_MEDIA_TYPES,
      disableExecuteApiEndpoint,
      endpointTypes: [EndpointType.REGIONAL],
      parameters: { endpointConfigurationTypes: EndpointType.REGIONAL },
      // The role belongs to the account: other APIs may use it after this one is deleted.
      cloudWatchRole: props.setsLogRole,
      ...(props.setsLogRole && { cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN }),
      deployOptions: {
        stageName: config.stage,
        ...limits,
        // They cost $0.30 a month each. The access log has the same data by route.
        metricsEnabled: false,
        // X-Ray segments of API Gateway would contain IP addresses and full URLs, including slip tokens. The functions
        // trace themselves.
        tracingEnabled: false,
        // The execution log would contain requests and responses.
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLog.format,
      },
    });
    // "Redeploy your API for the new settings to take effect" (API Gateway Developer Guide, "Modify stage settings").
    this.latestDeployment?.addToLogicalId(limits);
    const handlers = [...routes.map((route) => route.handler), ...(fallback ? [fallback] : [])];
    for (const handler of new Set(handlers)) this.#permit(handler);
    this.domains = addDomains(scope, this, addresses);
    // Replaces the base class's output, whose name contains a hash.
    this.node.tryRemoveChild('Endpoint');
    const { domain } = addresses;
    new CfnOutput(scope, props.output, { value: domain ? `https://${domain.name}/` : this.url });
  }

  /** One role for the whole API would make every call slower (docs/design/decisions/0009-one-api-body.md). */
  #permit(handler: IFunction): void {
    const permission = new CfnPermission(handler, 'ApiPermission', {
      action: 'lambda:InvokeFunction',
      functionName: handler.functionArn,
      principal: 'apigateway.amazonaws.com',
      sourceArn: this.arnForExecuteApi(),
    });
    this.latestDeployment?.node.addDependency(permission);
  }
}
