import { CfnOutput, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  BasePathMapping,
  DomainName,
  EndpointType,
  type RestApiBase,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate, CertificateValidation, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ARecord, HostedZone, type IHostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import type { DomainConfig, OperationsConfig } from '../../config.ts';

/** The addresses of a REST API. */
export type ApiAddresses = Pick<OperationsConfig, 'domain' | 'generatedUrl' | 'previousDomains'>;

/**
 * With a DNS record if the stage names the hosted zone. The ID contains the domain, which keeps its resources after
 * another replaces it.
 */
export class ApiDomain extends Construct {
  readonly name: string;
  /** For another stack. An export would prevent the removal of the domain. */
  readonly certificateArn: string;
  /** For a DNS record. */
  readonly target: string;

  constructor(scope: Construct, api: RestApiBase, { name, certificateArn, hostedZone }: DomainConfig) {
    super(scope, `Domain-${name}`);
    const zone =
      hostedZone &&
      HostedZone.fromHostedZoneAttributes(this, 'Zone', {
        hostedZoneId: hostedZone.id,
        zoneName: hostedZone.name,
      });
    const certificate = certificateArn
      ? Certificate.fromCertificateArn(this, 'Certificate', certificateArn)
      : issuedCertificate(this, name, zone);
    const domain = new DomainName(this, 'Name', {
      domainName: name,
      certificate,
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new BasePathMapping(this, 'Mapping', { domainName: domain, restApi: api, stage: api.deploymentStage });
    if (zone) {
      const target = RecordTarget.fromAlias(new ApiGatewayDomain(domain));
      new ARecord(this, 'Record', { zone, recordName: `${name}.`, target });
    }
    this.name = name;
    this.certificateArn = certificateArn ?? readLater(certificate, zone);
    this.target = domain.domainNameAliasDomainName;
  }
}

/**
 * Certificate Manager validates it by a record, and renews it as long as that exists. CloudFormation never deletes it:
 * one in use must not disappear.
 */
function issuedCertificate(
  scope: Construct,
  domainName: string,
  zone: IHostedZone | undefined,
): ICertificate {
  if (!zone) throw new Error(`The domain ${domainName} needs a certificateArn or a hostedZone.`);
  const validation = CertificateValidation.fromDns(zone);
  const certificate = new Certificate(scope, 'Certificate', { domainName, validation });
  certificate.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
  return certificate;
}

/**
 * Another zone replaces the certificate, and CloudFormation reads an output again only if the template that refers to it
 * changes. The name of the output therefore contains the zone.
 */
function readLater(certificate: ICertificate, zone: IHostedZone | undefined): string {
  const { certificateArn: value } = certificate;
  const output = new CfnOutput(certificate, `Arn-${zone?.hostedZoneId}`, { value });
  const { stackName } = Stack.of(certificate);
  return Fn.getStackOutput(stackName, Stack.of(certificate).getLogicalId(output));
}

/** Also the previous ones that still work. */
export function addDomains(
  scope: Construct,
  api: RestApiBase,
  { domain, previousDomains = [] }: ApiAddresses,
): ApiDomain[] {
  const current = domain && new ApiDomain(scope, api, domain);
  if (current) new CfnOutput(scope, 'DomainTarget', { value: current.target });
  const previous = previousDomains.map((one) => new ApiDomain(scope, api, one));
  return [...(current ? [current] : []), ...previous];
}
