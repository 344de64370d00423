import { CfnOutput, RemovalPolicy } from 'aws-cdk-lib';
import {
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  Resource,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGateway } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import type { DomainConfig, StageConfig } from '../config.ts';
import { AccessLog } from './access-log.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { serviceName } from './physical-names.ts';

/** The REST API: every answer in the envelope, no CORS, and a log that sees routes and never what was sent. */
export class EnvelopeApi extends RestApi {
  constructor(scope: Construct, id: string, config: StageConfig) {
    const { stage, throttling, operations } = config;
    const domain = operations?.domain;
    const accessLog = new AccessLog(scope, `${id}-access-log`, config);
    super(scope, id, {
      restApiName: serviceName(stage),
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
        tracingEnabled: operations !== undefined,
        // API Gateway's own execution log would hold requests and answers.
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLog.format,
      },
      ...(domain && {
        // One way in: the address that API Gateway draws would pass by what stands before the domain.
        disableExecuteApiEndpoint: true,
        domainName: {
          domainName: domain.name,
          certificate: Certificate.fromCertificateArn(scope, `${id}-certificate`, domain.certificateArn),
          endpointType: EndpointType.REGIONAL,
          securityPolicy: SecurityPolicy.TLS_1_2,
        },
      }),
    });
    addGatewayResponses(this);
    // The base class makes an output of its address; give it a name that people can find.
    this.node.tryRemoveChild('Endpoint');
    new CfnOutput(scope, 'ApiUrl', { value: domain ? `https://${domain.name}/` : this.url });
    if (domain) this.#enter(scope, domain);
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

  /** Enters the domain in its zone, or says what is to be entered. */
  #enter(scope: Construct, { name, hostedZone }: DomainConfig): void {
    if (!this.domainName) return;
    new CfnOutput(scope, 'DomainTarget', { value: this.domainName.domainNameAliasDomainName });
    if (!hostedZone) return;
    const zone = HostedZone.fromHostedZoneAttributes(scope, 'Zone', {
      hostedZoneId: hostedZone.id,
      zoneName: hostedZone.name,
    });
    const target = RecordTarget.fromAlias(new ApiGateway(this));
    new ARecord(scope, 'DomainRecord', { zone, recordName: `${name}.`, target });
  }
}

/** One permission for the whole API in place of one for each method: a stack holds 500 resources. */
function integration(handler: IFunction): LambdaIntegration {
  return new LambdaIntegration(handler, { scopePermissionToMethod: false });
}
