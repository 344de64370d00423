import type { IdentityClient, NinPremiumRecord } from '../src/index.ts';

/**
 * Calls that must not compile, and results that must have the type of their record. The tests only compile this file.
 */

export async function wrongCalls(client: IdentityClient): Promise<void> {
  // @ts-expect-error The ID type is misspelt.
  await client.verify('NINN', '12345678901');
  // @ts-expect-error A TIN has one level only.
  await client.verify('TIN', '1234567890', { advance: true });
  // @ts-expect-error Only a NUBAN has a bank code.
  await client.verify('NIN', '12345678901', { bankCode: '058' });
  // @ts-expect-error Only a CAC number has a type.
  await client.verify('BVN', '12345678901', { companyType: 'RC' });
  // @ts-expect-error The company type does not exist.
  await client.verify('CAC', '7000', { companyType: 'PLC' });
  // @ts-expect-error A number loses leading zeros.
  await client.verify('NIN', 12345678901);
  // @ts-expect-error The option is misspelt.
  await client.verify('NIN', '12345678901', { advanced: true });
  // @ts-expect-error Tax numbers have one level.
  await client.verifyGateway('TIN', '1234567890', { level: 'advanced' });
  // @ts-expect-error Companies are not matched.
  await client.verify('CAC', 'RC7000', { match: { lastname: 'OKAFOR' } });
  // @ts-expect-error The detail is misspelt.
  await client.verify('NIN', '12345678901', { match: { surname: 'OKAFOR' } });
  // @ts-expect-error There is nothing to compare.
  await client.verify('NIN', '12345678901', { matchOnly: true });
  // @ts-expect-error The slip type does not exist.
  await client.downloadSlip('12345678901', 'wrong');
  // @ts-expect-error The number of credits is not a string.
  await client.startTopUp('1000');
  // @ts-expect-error The kind does not exist.
  client.invoices({ kind: 'BILL' });
  // @ts-expect-error An order has no price list.
  (await client.topUp('TOPUP-')).prices;
}

export async function records(client: IdentityClient, isComplete: boolean): Promise<string[]> {
  const basic = await client.verify('NIN', '12345678901');
  const premium = await client.verify('NIN', '12345678901', { advance: true, consent: 'consent-7' });
  const either = await client.verify('CAC', 'RC7000', { advance: isComplete });
  const gateway = await client.verifyGateway('BVN', '12345678901', {
    level: 'advanced',
    method: 'biometric',
  });
  const match = { lastname: 'OKAFOR', birthdate: '14-02-1990' };
  const only = await client.verify('NIN', '12345678901', { match, matchOnly: true });
  const number: string = only.data.nin;
  // @ts-expect-error The response has no record.
  only.data.lastname;
  const matched = await client.verifyGateway('BVN', '12345678901', { match });
  const names: string[] = [matched.data.lastname, matched.match?.overall ?? number];
  const account = await client.verify('NUBAN', '0123456789', { bankCode: '058' });
  // @ts-expect-error A Basic record has no title.
  basic.data.title;
  // @ts-expect-error The level is known at run time only.
  either.data.affiliatesData;
  const complete: NinPremiumRecord = premium.data;
  return [
    ...names,
    complete.title,
    either.data.companyName,
    gateway.data.nationality,
    account.data.bank_name,
  ];
}
