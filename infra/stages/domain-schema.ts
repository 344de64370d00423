import * as v from 'valibot';
import type { DomainConfig } from '../config.ts';
import { day, settings, text } from './schemas.ts';

/** The domains of the API and of the console. */

const DOMAIN_NAME = 'Use a domain name without a scheme or path, for example api.example.com.';
const CERTIFICATE = 'Use the ARN of a certificate in Certificate Manager.';

const domainEntries = {
  name: v.pipe(v.string(DOMAIN_NAME), v.regex(/^([a-z\d-]+\.)+[a-z]+$/, DOMAIN_NAME)),
  certificateArn: v.optional(
    v.pipe(v.string(CERTIFICATE), v.regex(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/.+$/, CERTIFICATE)),
  ),
  hostedZone: v.optional(settings({ id: text, name: text })),
};

function certified<const T extends v.GenericSchema<DomainConfig>>(schema: T) {
  return v.pipe(
    schema,
    v.check(
      ({ certificateArn, hostedZone }) => certificateArn !== undefined || hostedZone !== undefined,
      'Add certificateArn, or hostedZone to create a certificate.',
    ),
    v.check(({ name, hostedZone }) => {
      return hostedZone === undefined || `.${name}`.endsWith(`.${hostedZone.name}`);
    }, 'Use the hosted zone of the domain: name must end with hostedZone.name.'),
  );
}

export const domain = certified(settings(domainEntries));
export const previousDomain = certified(settings({ ...domainEntries, openUntil: day }));
