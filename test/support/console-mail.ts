import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { service } from './console.ts';

export interface ReceivedMail {
  readonly headers: string;
  readonly text: string;
}

export function mailsTo(address: string): ReceivedMail[] {
  const directory = service.console?.mailDirectory ?? '';
  return readdirSync(directory)
    .sort()
    .map((file) => readFileSync(join(directory, file), 'utf8'))
    .flatMap((mail) => {
      const end = mail.indexOf('\n\n');
      const headers = mail.slice(0, end);
      return headers.split('\n').includes(`To: ${address}`) ? [{ headers, text: mail.slice(end + 2) }] : [];
    });
}

export function invitationSecret(address: string): string {
  const [, secret] = /\/invitation#([\w-]{43})\n/.exec(mailsTo(address).at(-1)?.text ?? '') ?? [];
  if (secret === undefined) throw new Error(`There is no invitation for ${address}.`);
  return secret;
}
