import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { arn } from '../templates/physical-names.ts';
import { type AwsResponse, awsError, type Deny } from './aws-response.ts';
import type { Principal } from './principals.ts';

/** SES: writes each email to a file instead of sending it. */

const content = v.object({ Data: v.string() });
const requestShape = v.object({
  FromEmailAddress: v.string(),
  Destination: v.strictObject({ ToAddresses: v.pipe(v.array(v.string()), v.minLength(1)) }),
  ReplyToAddresses: v.optional(v.array(v.string())),
  Content: v.strictObject({
    Simple: v.strictObject({ Subject: content, Body: v.strictObject({ Text: content }) }),
  }),
});

/** The path of `SendEmail`, in version 2 of the API. */
export const SEND_EMAIL_PATH = '/v2/email/outbound-emails';

export class Mailbox {
  readonly #directory: string;
  #sent = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Handles `SendEmail` with a subject and a plain-text body. */
  send(principal: Principal, body: unknown, deny: Deny): AwsResponse {
    const request = v.safeParse(requestShape, body);
    if (!request.success) {
      const problems = request.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`);
      return awsError(
        'BadRequestException',
        `The local runtime does not support this email. ${problems.join('; ')}`,
      );
    }
    const { FromEmailAddress, Destination, ReplyToAddresses = [], Content } = request.output;
    const address = addressIn(FromEmailAddress);
    // What SES may check, depending on the account: identities of the sender, its domain and, in the sandbox, the
    // recipients, and the sender's default configuration set.
    const names = [address, address.slice(address.lastIndexOf('@') + 1), ...Destination.ToAddresses];
    const resources = [...names.map((name) => `identity/${name}`), 'configuration-set/default'];
    const context = { 'ses:FromAddress': [address] };
    for (const resource of resources.map((one) => arn('ses', one)))
      if (!principal.authorise('ses:SendEmail', resource, context)) return deny('ses:SendEmail', resource);
    const MessageId = randomUUID();
    this.write(
      [
        ['From', FromEmailAddress],
        ['To', Destination.ToAddresses.join(', ')],
        ...(ReplyToAddresses.length > 0 ? [['Reply-To', ReplyToAddresses.join(', ')] as const] : []),
        ['Subject', Content.Simple.Subject.Data],
        ['Date', new Date().toUTCString()],
        ['Message-ID', `<${MessageId}@localhost>`],
      ],
      Content.Simple.Body.Text.Data,
    );
    return { status: 200, content: { MessageId } };
  }

  /** Writes an email. The names of the files sort by time. A line break in a value cannot add a header. */
  write(headers: readonly (readonly [string, string])[], text: string): void {
    this.#sent += 1;
    const time = new Date().toISOString().replaceAll(':', '-').slice(0, -1);
    const lines = headers.map(([name, value]) => `${name}: ${value.replace(/[\r\n]+/g, ' ')}`);
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const file = join(this.#directory, `${time}-${String(this.#sent).padStart(4, '0')}.txt`);
    writeFileSync(file, `${lines.join('\n')}\n\n${text}\n`, { mode: 0o600 });
  }
}

/** Returns the address in a sender such as `Console <console@example.com>`. */
function addressIn(text: string): string {
  return (/<([^<>]+)>\s*$/.exec(text)?.[1] ?? text).trim();
}
