import {
  GetHostedZoneCommand,
  type GetHostedZoneResponse,
  ListResourceRecordSetsCommand,
  Route53Client,
} from '@aws-sdk/client-route-53';
import type { DomainConfig } from '../../../infra/config.ts';
import { CLIENT_SETTINGS, call, callUnless } from './aws-call.ts';
import { delegationFix, deployedDomain, domainsOf } from './domain.ts';
import { fault, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

const CHECK = 'hosted zone';
/** ACM User Guide, "Configure a CAA record". */
const AMAZON = ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'];

type Zone = NonNullable<DomainConfig['hostedZone']>;

/**
 * Checks what would let the deployment of a domain fail, or wait for its certificate for hours: the hosted zone, its
 * delegation, a CAA record that excludes Amazon, and a record of the same name.
 */
export async function checkHostedZones(world: World): Promise<Row[]> {
  const zoned = domainsOf(world).flatMap((domain) =>
    domain.hostedZone ? [[domain, domain.hostedZone] as const] : [],
  );
  if (zoned.length === 0) return [ok(CHECK, 'No domain of the stage has a hosted zone.')];
  const client = new Route53Client({ ...CLIENT_SETTINGS, region: world.region });
  return Promise.all(
    zoned.map(async ([domain, zone]) => {
      const found = await callUnless(['NoSuchHostedZone'], 'route53:GetHostedZone', () =>
        client.send(new GetHostedZoneCommand({ Id: zone.id })),
      );
      return (
        zoneProblem(zone, found) ??
        (await delegationProblem(zone, found, world)) ??
        (await issuerProblem(domain, world)) ??
        (await recordProblem(domain, zone, client, world)) ??
        ok(CHECK, `${domain.name}: the hosted zone ${zone.id} serves ${zone.name}.`)
      );
    }),
  );
}

function zoneProblem(zone: Zone, found: GetHostedZoneResponse | undefined): Row | undefined {
  const { Name, Config } = found?.HostedZone ?? {};
  if (Name === `${zone.name}.` && !Config?.PrivateZone) return undefined;
  const what = Config?.PrivateZone
    ? 'private'
    : Name
      ? `the zone of ${Name.slice(0, -1)}`
      : 'not a zone of this account';
  return fault(
    CHECK,
    `The hosted zone ${zone.id} is ${what}. It must be the public hosted zone of ${zone.name}.`,
    '# List the zones of the account, and correct hostedZone:',
    `aws route53 list-hosted-zones-by-name --dns-name ${zone.name}`,
  );
}

async function delegationProblem(
  zone: Zone,
  found: GetHostedZoneResponse | undefined,
  { dns }: World,
): Promise<Row | undefined> {
  const delegated = await dns.nameServers(zone.name);
  const own = found?.DelegationSet?.NameServers ?? [];
  if (delegated.some((name) => own.includes(name))) return undefined;
  return fault(
    CHECK,
    `${zone.name} is ${delegated.length > 0 ? `delegated to ${delegated.join(', ')}` : 'not delegated'}, not to the hosted zone ${zone.id}. A deployment would wait for its certificate until it fails.`,
    ...delegationFix(zone),
  );
}

/** The closest name with CAA records decides (RFC 8659, 3). */
async function issuerProblem({ name, certificateArn }: DomainConfig, { dns }: World) {
  if (certificateArn) return undefined;
  const labels = name.split('.');
  for (let index = 0; index < labels.length - 1; index += 1) {
    const parent = labels.slice(index).join('.');
    const issuers = await dns.issuers(parent);
    if (!issuers) continue;
    if (issuers.length === 0 || issuers.some((issuer) => AMAZON.includes(issuer))) return undefined;
    return fault(
      CHECK,
      `${name}: the CAA record of ${parent} permits certificates only of ${issuers.join(', ')}, not of Amazon.`,
      '# Add this record beside the others:',
      `# ${parent}. CAA 0 issue "amazon.com"`,
    );
  }
  return undefined;
}

/** CloudFormation does not replace a record that it did not create. */
async function recordProblem({ name }: DomainConfig, { id }: Zone, client: Route53Client, world: World) {
  if (await deployedDomain(name, world)) return undefined;
  const command = new ListResourceRecordSetsCommand({
    HostedZoneId: id,
    StartRecordName: name,
    MaxItems: 10,
  });
  const { ResourceRecordSets = [] } = await call('route53:ListResourceRecordSets', () =>
    client.send(command),
  );
  const found = ResourceRecordSets.find(
    ({ Name, Type = '' }) => Name === `${name}.` && ['A', 'AAAA', 'CNAME'].includes(Type),
  );
  if (!found) return undefined;
  return fault(
    CHECK,
    `${name}: the hosted zone already has a record of this name (${found.Type}), so the deployment would fail.`,
    '# Delete the record if nothing needs it, or choose another name:',
    `aws route53 list-resource-record-sets --hosted-zone-id ${id} --start-record-name ${name} --max-items 1`,
  );
}
