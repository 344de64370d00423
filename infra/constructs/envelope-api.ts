import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  Resource,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { addGatewayResponses } from './gateway-responses.ts';

/** The REST API: every answer in the envelope, no CORS, and a log that sees routes and never what was sent. */
export class EnvelopeApi extends RestApi {
  constructor(scope: Construct, id: string, { stage, throttling, logRetentionDays }: StageConfig) {
    const accessLog = new LogGroup(scope, `${id}-access-log`, { retention: logRetentionDays });
    super(scope, id, {
      restApiName: `identity-${stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      // A PDF must leave as it is, whatever Accept says (decision A2).
      binaryMediaTypes: ['*/*'],
      // The role belongs to the account, not to this API: other APIs may use it after this one is gone.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: throttling.rateLimit,
        throttlingBurstLimit: throttling.burstLimit,
        metricsEnabled: true,
        // API Gateway's own execution log would hold requests and answers.
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: accessLogFormat(),
      },
    });
    addGatewayResponses(this);
    // The base class makes an output of its address; give it a name that people can find.
    this.node.tryRemoveChild('Endpoint');
    new CfnOutput(scope, 'ApiUrl', { value: this.url });
  }

  /** Serves one path by a function; API Gateway serves the same with a slash at the end. */
  serve(method: string, path: string, handler: IFunction): void {
    this.root.resourceForPath(path).addMethod(method, integration(handler));
  }

  /** Gives every method and path that no one else serves to a function. To be called last. */
  serveRest(handler: IFunction): void {
    const rest = integration(handler);
    this.root.resourceForPath('/{proxy+}');
    const resources = this.node.findAll().filter((child) => child instanceof Resource);
    for (const resource of [this.root, ...resources]) resource.addMethod('ANY', rest);
  }
}

/** One permission for the whole API in place of one for each method: a stack holds 500 resources. */
function integration(handler: IFunction): LambdaIntegration {
  return new LambdaIntegration(handler, { scopePermissionToMethod: false });
}

/** The route and not the path, which can hold a slip's token; never a body, a header or a query. */
function accessLogFormat(): AccessLogFormat {
  const fields = {
    requestId: AccessLogField.contextRequestId(),
    time: AccessLogField.contextRequestTimeEpoch(),
    ip: AccessLogField.contextIdentitySourceIp(),
    method: AccessLogField.contextHttpMethod(),
    route: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
    integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
    responseBytes: AccessLogField.contextResponseLength(),
    errorType: AccessLogField.contextErrorResponseType(),
  };
  return AccessLogFormat.custom(JSON.stringify(fields));
}
