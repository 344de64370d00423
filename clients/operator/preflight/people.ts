import { IAMClient, ListMFADevicesCommand } from '@aws-sdk/client-iam';
import { CLIENT_SETTINGS, callUnless } from './aws-call.ts';
import { fault, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

/** Checks that the account's users in `operators.users` exist and have a second factor, which the roles require. */
export async function checkOperators(world: World): Promise<Row[]> {
  const check = 'operators';
  const users = [...new Set(Object.values(world.config.operations?.operators?.users ?? {}).flat())].sort();
  if (users.length === 0)
    return [
      ok(check, 'operators.users is empty: the policies of the IAM users decide who may assume a role.'),
    ];
  const own = users.filter((arn) => arn.includes(`::${world.account}:`));
  const others = users.length - own.length;
  const rows = await Promise.all(own.map((arn) => checkUser(check, arn, world)));
  const faults = rows.filter((row) => row !== undefined);
  if (faults.length > 0) return faults;
  const rest = others > 0 ? ` Users in other accounts (not checked): ${others}.` : '';
  return [ok(check, `Users with a second factor: ${own.length}.${rest}`)];
}

async function checkUser(check: string, arn: string, { region, account }: World): Promise<Row | undefined> {
  const UserName = arn.split('/').at(-1) ?? '';
  const client = new IAMClient({ ...CLIENT_SETTINGS, region });
  const found = await callUnless(['NoSuchEntity', 'NoSuchEntityException'], 'iam:ListMFADevices', () =>
    client.send(new ListMFADevicesCommand({ UserName })),
  );
  if (!found)
    return fault(
      check,
      `operators.users names the IAM user ${UserName}, which does not exist.`,
      '# Correct operators.users, or create the user:',
      `aws iam create-user --user-name ${UserName}`,
    );
  if ((found.MFADevices ?? []).length > 0) return undefined;
  return fault(
    check,
    `The user ${UserName} has no second factor and cannot assume a role.`,
    `aws iam create-virtual-mfa-device --virtual-mfa-device-name ${UserName} --outfile ${UserName}.png --bootstrap-method QRCodePNG`,
    '# The user scans the QR code with an authenticator app and enters two consecutive codes:',
    `aws iam enable-mfa-device --user-name ${UserName} --serial-number arn:aws:iam::${account}:mfa/${UserName} --authentication-code1 <code> --authentication-code2 <code>`,
  );
}
