import { CfnOutput, ReferenceStrength, RemovalPolicy } from 'aws-cdk-lib';
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
 * Serves a REST API at the root of a domain, with a DNS record if the stage names the hosted zone. The construct's ID
 * contains the name of the domain, so a domain keeps its resources after another domain replaces it.
 */
export class ApiDomain extends Construct {
  readonly name: string;
  readonly certificateArn: string;
  /** The value of a DNS record for the domain. */
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
    this.certificateArn = certificate.certificateArn;
    this.target = domain.domainNameAliasDomainName;
  }
}

/**
 * Adds a certificate that Certificate Manager validates by a record in the hosted zone and renews as long as the record
 * exists. CloudFormation never deletes it: an unused certificate costs nothing, and one in use must not disappear.
 */
function issuedCertificate(
  scope: Construct,
  domainName: string,
  zone: IHostedZone | undefined,
): ICertificate {
  if (!zone) throw new Error(`The domain ${domainName} needs a certificateArn or a hostedZone.`);
  const validation = CertificateValidation.fromDns(zone);
  const certificate = new Certificate(scope, 'Certificate', { domainName, validation });
  certificate.applyRemovalPolicy(RemovalPolicy.RETAIN);
  // The certificate's alarm is in a stack that is deployed later. An export would prevent the removal of the domain.
  certificate.applyCrossStackReferenceStrength(ReferenceStrength.WEAK);
  return certificate;
}

/** Adds the domain of a REST API and the previous ones that still work. Returns all of them. */
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
