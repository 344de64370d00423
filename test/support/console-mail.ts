import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { service } from './console.ts';

export interface ReceivedMail {
  readonly headers: string;
  readonly text: string;
}

export function mailsTo(address: string): ReceivedMail[] {
  const directory = service.console?.mailDirectory ?? '';
  // It appears with the first mail.
  return (existsSync(directory) ? readdirSync(directory) : [])
    .sort()
    .map((file) => readFileSync(join(directory, file), 'utf8'))
    .flatMap((mail) => {
      const end = mail.indexOf('\n\n');
      const headers = mail.slice(0, end);
      return headers.split('\n').includes(`To: ${address}`) ? [{ headers, text: mail.slice(end + 2) }] : [];
    });
}

/** Waits for mails that are sent after a response. */
export async function mailsOnceThere(address: string, count: number): Promise<ReceivedMail[]> {
  for (let waits = 0; waits < 100 && mailsTo(address).length < count; waits += 1) await setTimeout(100);
  return mailsTo(address);
}

export function invitationSecret(address: string): string {
  const [, secret] = /\/invitation#([\w-]{43})\n/.exec(mailsTo(address).at(-1)?.text ?? '') ?? [];
  if (secret === undefined) throw new Error(`There is no invitation for ${address}.`);
  return secret;
}

export function temporaryPassword(address: string): string {
  const [, password] = / temporary password (\S+) /.exec(mailsTo(address).at(-1)?.text ?? '') ?? [];
  if (password === undefined) throw new Error(`There is no temporary password for ${address}.`);
  return password;
}
