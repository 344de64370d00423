import * as v from 'valibot';
import type { StageConfig } from '../config.ts';
import { domain } from './domain-schema.ts';
import { settings, text, whole } from './schemas.ts';

/** The settings of the account console. */

const PREFIX =
  'Use 1 to 63 lower-case letters, digits and hyphens, without a hyphen at either end, for example example-identity. Cognito rejects prefixes that contain aws, amazon or cognito.';
const EMAIL = 'Use an email address, for example console@example.com.';
const URL = 'Use an https URL, for example https://docs.example.com/.';
const MOST_TEST_CREDITS = 1_000_000;

export const httpsUrl = v.pipe(v.string(URL), v.url(URL), v.startsWith('https://', URL));

export const consoleSchema = settings({
  domain: v.optional(domain),
  signInPrefix: v.pipe(
    v.string(PREFIX),
    v.regex(/^(?!.*(?:aws|amazon|cognito))[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/, PREFIX),
  ),
  mailFrom: v.pipe(v.string(EMAIL), v.email(EMAIL)),
  terms: settings({ version: text, url: httpsUrl }),
  testCredits: whole(1, MOST_TEST_CREDITS),
  documentationUrl: httpsUrl,
});

/** Throws if a console on AWS has no domain of its own, or cannot show the address of the API. */
export function checkConsole({ stage, console, publicBaseUrl, operations }: StageConfig, file: string): void {
  if (!console || stage === 'local') return;
  if (!console.domain)
    throw new Error(
      `${file} sets console without a domain. Add console.domain, for example { name: 'console.example.com', ... }: ` +
        'the sign-in returns to this address.',
    );
  if (publicBaseUrl === undefined && operations?.domain === undefined)
    throw new Error(
      `${file} sets console, but no address for the API. Set operations.domain: the pages of the console show the ` +
        'address in code samples.',
    );
  if (console.domain.name === operations?.domain?.name)
    throw new Error(
      `${file} gives the console the domain of the API, ${console.domain.name}. Use a different one.`,
    );
}
