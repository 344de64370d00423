import { SESv2Client, type SESv2ClientConfig, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { traceCalls } from '../core/trace-client.ts';
import type { SendMail } from './mail.ts';

const TIMEOUTS = { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true } as const;

/**
 * Returns a function that sends emails through Amazon SES from this address. The address or its domain must be a
 * verified identity there. On Lambda, no settings are needed: the SDK finds its own.
 */
export function sesMail(from: string, settings: SESv2ClientConfig = {}): SendMail {
  const client = new SESv2Client({ ...settings, requestHandler: TIMEOUTS });
  client.middlewareStack.use(traceCalls('SES'));
  return async ({ to, subject, text }) => {
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        Content: {
          Simple: {
            Subject: { Data: subject, Charset: 'UTF-8' },
            Body: { Text: { Data: text, Charset: 'UTF-8' } },
          },
        },
      }),
    );
  };
}
