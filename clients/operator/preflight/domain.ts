import { ACMClient, type CertificateDetail, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import { APIGatewayClient, type DomainName, GetDomainNameCommand } from '@aws-sdk/client-api-gateway';
import type { DomainConfig } from '../../../infra/config.ts';
import { stageFile } from '../../../infra/stages/pin.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { counted } from '../output.ts';
import { CLIENT_SETTINGS, callUnless } from './aws-call.ts';
import { fault, notYet, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

/**
 * Certificate Manager renews its certificates earlier than this. If fewer days are left, the renewal has failed, or an
 * imported certificate was not replaced.
 */
const EXPIRY_DAYS = 30;

export function domainsOf({ config }: World): readonly DomainConfig[] {
  const { domain, previousDomains = [] } = config.operations ?? {};
  return [domain, ...previousDomains, config.console?.domain].filter((one) => one !== undefined);
}

export async function checkCertificates(world: World): Promise<Row[]> {
  const domains = domainsOf(world);
  if (domains.length === 0) return [ok('certificate', 'The stage has no domain.')];
  return Promise.all(domains.map((domain) => checkCertificate(domain, world)));
}

async function checkCertificate(domain: DomainConfig, world: World): Promise<Row> {
  const { region, config } = world;
  const check = 'certificate';
  const arn = domain.certificateArn ?? (await deployedDomain(domain.name, world))?.regionalCertificateArn;
  if (!arn)
    return notYet(
      check,
      `${domain.name}: the deployment creates the certificate.`,
      `npm run deploy -- -c stage=${config.stage}`,
    );
  const wrongPlace = placeProblem(arn, domain, world);
  if (wrongPlace) return wrongPlace;
  const client = new ACMClient({ ...CLIENT_SETTINGS, region });
  const found = await callUnless(['ResourceNotFoundException'], 'acm:DescribeCertificate', () =>
    client.send(new DescribeCertificateCommand({ CertificateArn: arn })),
  );
  if (!found?.Certificate)
    return fault(check, `${domain.name}: there is no certificate ${arn}.`, ...newCertificate(domain, world));
  return (
    contentProblem(found.Certificate, arn, domain, world) ?? ok(check, described(domain, found.Certificate))
  );
}

function described({ name }: DomainConfig, { NotAfter }: CertificateDetail): string {
  return `${name}: issued, valid until ${NotAfter?.toISOString().slice(0, 10) ?? 'an unknown date'}.`;
}

/** A regional domain needs a certificate in its own region and account. */
function placeProblem(arn: string, domain: DomainConfig, world: World): Row | undefined {
  const [, , , certificateRegion, certificateAccount] = arn.split(':');
  if (certificateRegion === world.region && certificateAccount === world.account) return undefined;
  return fault(
    'certificate',
    `${domain.name}: the certificate is in ${certificateAccount} / ${certificateRegion}, but the stage is in ${world.account} / ${world.region}.`,
    ...newCertificate(domain, world),
  );
}

function contentProblem(
  certificate: CertificateDetail,
  arn: string,
  domain: DomainConfig,
  world: World,
): Row | undefined {
  const { Status, NotAfter, SubjectAlternativeNames = [] } = certificate;
  const records = `aws acm describe-certificate --certificate-arn ${arn} --region ${world.region} --query 'Certificate.DomainValidationOptions[].ResourceRecord'`;
  if (Status === 'PENDING_VALIDATION')
    return fault(
      'certificate',
      `${domain.name}: the certificate is waiting for its validation record in DNS.`,
      '# Add this record to the zone of the domain:',
      records,
    );
  if (Status !== 'ISSUED')
    return fault(
      'certificate',
      `${domain.name}: the certificate is ${Status}.`,
      ...newCertificate(domain, world),
    );
  if (!SubjectAlternativeNames.some((name) => covers(name, domain.name)))
    return fault(
      'certificate',
      `${domain.name}: the certificate does not cover this name. It covers ${SubjectAlternativeNames.join(', ')}.`,
      ...newCertificate(domain, world),
    );
  const days = Math.floor(((NotAfter?.getTime() ?? 0) - world.nowMs) / DAY_MS);
  if (days >= EXPIRY_DAYS) return undefined;
  return fault(
    'certificate',
    `${domain.name}: the certificate expires in ${counted(days, 'day')} and has not been renewed.`,
    '# If Certificate Manager issued it, it is renewed once this record is in the zone of the domain. If it was imported, import its replacement (runbook certificate-expiring):',
    records,
  );
}

/** `*.example.com` covers names with exactly one more label, but not `example.com` itself. */
function covers(certified: string, name: string): boolean {
  if (!certified.startsWith('*.')) return certified === name;
  return name.slice(name.indexOf('.')) === certified.slice(1);
}

function newCertificate({ name }: DomainConfig, { config, region }: World): string[] {
  return [
    `aws acm request-certificate --domain-name ${name} --validation-method DNS --region ${region}`,
    `# Add its validation record to DNS, set certificateArn of the domain in ${stageFile(config.stage)} to its ARN, then deploy:`,
    `npm run deploy -- -c stage=${config.stage}`,
  ];
}

/** Checks that each domain points to API Gateway, as this machine's DNS servers resolve it. */
export async function checkRecords(world: World): Promise<Row[]> {
  const domains = domainsOf(world);
  if (domains.length === 0) return [ok('dns', 'The stage has no domain.')];
  return Promise.all(domains.map((domain) => checkRecord(domain, world)));
}

async function checkRecord(domain: DomainConfig, world: World): Promise<Row> {
  const { config, dns } = world;
  const target = (await deployedDomain(domain.name, world))?.regionalDomainName;
  if (!target)
    return notYet('dns', `${domain.name} is not deployed yet.`, `npm run deploy -- -c stage=${config.stage}`);
  const [found, expected] = await Promise.all([dns.resolve(domain.name), dns.resolve(target)]);
  const isRight =
    found.alias === target || found.addresses.some((address) => expected.addresses.includes(address));
  if (isRight) return ok('dns', `${domain.name} points to API Gateway.`);
  const where = found.alias ?? found.addresses.join(', ');
  return fault(
    'dns',
    where
      ? `${domain.name} points to ${where}, not to API Gateway (${target}).`
      : `${domain.name} does not exist in DNS, as seen from this machine.`,
    ...recordFix(domain, target),
  );
}

function recordFix({ name, hostedZone }: DomainConfig, target: string): string[] {
  if (!hostedZone)
    return [
      '# Add this record where the zone of the domain is managed. DNS servers may return the old record until its TTL expires:',
      `# ${name}. CNAME ${target}.`,
      `dig +short CNAME ${name}`,
    ];
  return delegationFix(hostedZone);
}

export function delegationFix({ id, name }: NonNullable<DomainConfig['hostedZone']>): string[] {
  return [
    `# Set the name servers of the hosted zone at the registrar of ${name}, or in its parent zone:`,
    `aws route53 get-hosted-zone --id ${id} --query DelegationSet.NameServers`,
    `dig +short NS ${name}`,
  ];
}

export async function deployedDomain(name: string, { region }: World): Promise<DomainName | undefined> {
  const client = new APIGatewayClient({ ...CLIENT_SETTINGS, region });
  return callUnless(['NotFoundException'], 'apigateway:GET', () =>
    client.send(new GetDomainNameCommand({ domainName: name })),
  );
}
