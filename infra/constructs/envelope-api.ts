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

/** The REST API. All its responses use the envelope, it has no CORS, and it logs routes but never request contents. */
export class EnvelopeApi extends RestApi {
  constructor(scope: Construct, id: string, config: StageConfig) {
    const { stage, throttling, operations } = config;
    const domain = operations?.domain;
    const accessLog = new AccessLog(scope, `${id}-access-log`, config);
    super(scope, id, {
      restApiName: serviceName(stage),
      endpointTypes: [EndpointType.REGIONAL],
      // A PDF is returned unchanged, whatever the Accept header (decision A2).
      binaryMediaTypes: ['*/*'],
      // The role belongs to the account: other APIs may use it after this one is deleted.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: stage,
        throttlingRateLimit: throttling.rateLimit,
        throttlingBurstLimit: throttling.burstLimit,
        metricsEnabled: true,
        // Its segments would contain whole URLs, with the tokens of slips, and IP addresses. The functions trace themselves.
        tracingEnabled: false,
        // The execution log would contain requests and responses.
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLog.format,
      },
      ...(domain && {
        // Otherwise callers could bypass anything in front of the domain, such as a CDN.
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
    // Replaces the output of the base class, whose name is hard to find.
    this.node.tryRemoveChild('Endpoint');
    new CfnOutput(scope, 'ApiUrl', { value: domain ? `https://${domain.name}/` : this.url });
    if (domain) this.#addDomainRecord(scope, domain);
  }

  /** Routes one method and path to a function. API Gateway also accepts the path with a trailing slash. */
  addRoute(method: string, path: string, handler: IFunction): void {
    this.root.resourceForPath(path).addMethod(method, integration(handler));
  }

  /** Routes all remaining methods and paths to a function. Call it after all calls of `addRoute`. */
  addFallback(handler: IFunction): void {
    const fallback = integration(handler);
    this.root.resourceForPath('/{proxy+}');
    const resources = this.node.findAll().filter((child) => child instanceof Resource);
    for (const resource of [this.root, ...resources]) resource.addMethod('ANY', fallback);
  }

  /** Adds a DNS record for the domain, or only an output with its target if the stage names no hosted zone. */
  #addDomainRecord(scope: Construct, { name, hostedZone }: DomainConfig): void {
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

/** Grants one permission for the whole API instead of one per method, since a stack has at most 500 resources. */
function integration(handler: IFunction): LambdaIntegration {
  return new LambdaIntegration(handler, { scopePermissionToMethod: false });
}
