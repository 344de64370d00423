import type { CheckContext } from './check.ts';

/** What each program must print: a field of each kind of record, as the service itself returns it, and an error code. */

type Found = Readonly<Record<string, unknown>>;
/** The body of a request, and the field that the program prints, as a path below `data`. */
type Printed = readonly [name: string, body: Found, field: string];

const NIN = { id_number: '12345678901' };
const BVN = { id_number: '22345678901' };
const CAC = { id_number: 'RC1234567' };
const CLAIM = { match: { lastname: 'Anunobi' }, match_only: true };
const AFFILIATE = 'affiliatesData.0.affiliateType';

const DEDICATED: readonly Printed[] = [
  ['nin-basic', NIN, 'lastname'],
  ['nin-premium', NIN, 'tracking_id'],
  ['bvn-basic', BVN, 'lastname'],
  ['bvn-premium', BVN, 'enrollment_bank'],
  ['cac-basic', CAC, 'companyName'],
  ['cac-premium', CAC, AFFILIATE],
  ['tin-basic', { id_number: '12345678-0001' }, 'name'],
  ['nuban-basic', { id_number: '0123456789' }, 'account_name'],
];

const gateway = (id_type: string, params: Found, more: Found) => ({
  country: 'NG',
  id_type,
  params,
  ...more,
});
const BASIC = { level: 'basic' };
const ADVANCED = { level: 'advanced' };
const GATEWAY: readonly Printed[] = [
  ['gateway NIN basic', gateway('NIN', NIN, BASIC), 'lastname'],
  ['gateway NIN advanced', gateway('NIN', NIN, ADVANCED), 'tracking_id'],
  ['gateway BVN basic', gateway('BVN', BVN, BASIC), 'lastname'],
  ['gateway BVN advanced', gateway('BVN', BVN, ADVANCED), 'enrollment_bank'],
  ['gateway CAC basic', gateway('CAC', CAC, BASIC), 'companyName'],
  ['gateway CAC advanced', gateway('CAC', CAC, ADVANCED), AFFILIATE],
  ['gateway TIN basic', gateway('TIN', { id_number: '12345678-0001' }, BASIC), 'name'],
  ['gateway NUBAN basic', gateway('NUBAN', { id_number: '0123456789' }, BASIC), 'account_name'],
  ['gateway BVN match-only', gateway('BVN', BVN, CLAIM), 'bvn'],
];

/** Returns the expected output. Throws if the service does not return a record. */
export async function expectedOutput({ baseUrl, apiKey }: CheckContext): Promise<string> {
  const post = async (path: string, body: Found) => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as { code: string; data: Found; match?: Found };
  };
  const printed = async (path: string, [name, body, field]: Printed) =>
    `${name} ${fieldOf((await post(path, body)).data, field)}`;
  const lines: string[] = [];
  for (const row of DEDICATED) lines.push(await printed(`/v1/ng/${row[0]}`, row));
  const matched = await post('/v1/ng/nin-basic', { ...NIN, ...CLAIM });
  lines.push(`nin-match-only ${fieldOf(matched.data, 'nin')} ${matched.match?.['overall']}`);
  for (const row of GATEWAY) lines.push(await printed('/v1/identities/verify', row));
  const missing = await post('/v1/ng/nin-basic', { id_number: '12345670404' });
  lines.push(`error ${missing.code}`);
  return lines.join('\n');
}

function fieldOf(data: Found, path: string): string {
  const value = path.split('.').reduce<unknown>((at, key) => (at as Found)[key], data);
  if (typeof value !== 'string' || value === '') throw new Error(`The service returned no ${path}.`);
  return value;
}
